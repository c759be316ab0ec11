//! The imports of the files of the library: downwards only, and never in a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path as FilePath,
    sync::LazyLock,
};

/// The modules of the library from the bottom up: each imports only those before it.
const ORDER: &str = "text signs words runnable settings error budget signature json record format grid bytes store scalar data_type codec metadata hierarchy chunk \
    readable presence sizes array statistics conventions census npy canonical digest spelling compare plausibility readers what_if byte_order figures diagnosis check guide";

/// A module's or an item's place: `["zarr", "codec", "chain"]`.
type Path = Vec<String>;

/// The modules of the library and what each says it uses.
struct Library {
    modules: BTreeSet<Path>,
    /// By module and name: what `pub use` makes known there.
    known_as: BTreeMap<(Path, String), Path>,
    /// The module, and the module or item that it uses.
    used: Vec<(Path, Path)>,
}

/// What each module of the library imports, read once for all tests.
static IMPORTS: LazyLock<BTreeMap<Path, BTreeSet<Path>>> =
    LazyLock::new(|| Library::read().imports());

impl Library {
    fn read() -> Self {
        let src = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut sources =
            vec![(vec!["zarr".to_owned()], fs::read_to_string(src.join("zarr.rs")).unwrap())];
        gather(&src.join("zarr"), &["zarr".to_owned()], &mut sources);
        let modules = sources.iter().map(|(module, _)| module.clone()).collect();
        let mut library = Self { modules, known_as: BTreeMap::new(), used: Vec::new() };
        for (module, text) in &sources {
            library.take(module, text);
        }
        library.take_preludes(&sources);
        library
    }

    /// Takes in the names of a prelude that a file with a glob of it has.
    fn take_preludes(&mut self, sources: &[(Path, String)]) {
        let mut used = Vec::new();
        for (module, text) in sources {
            let is_glob = |path: &Path| path.last().is_some_and(|last| last == "*");
            let globs = self.used.iter().filter(|(by, path)| by == module && is_glob(path));
            for (_, glob) in globs {
                let prelude = &glob[..glob.len() - 1];
                let known = self
                    .known_as
                    .iter()
                    .filter(|((of, name), _)| of.as_slice() == prelude && is_named(text, name));
                used.extend(known.map(|(_, path)| (module.clone(), path.clone())));
            }
        }
        assert!(used.len() > 500, "the preludes are read");
        self.used.retain(|(_, path)| path.last().is_none_or(|last| last != "*"));
        self.used.extend(used);
    }

    /// Takes in what the program text of `module` uses: its `use` statements, and paths written out in the code.
    fn take(&mut self, module: &Path, text: &str) {
        let mut rest = String::new();
        let mut statement = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            let is_use = statement.is_empty()
                && (line.starts_with("use ") || line.contains("pub") && line.contains(" use "));
            if !is_use && statement.is_empty() {
                rest += line;
                rest.push('\n');
                continue;
            }
            statement += line;
            if line.ends_with(';') {
                self.take_use(module, &std::mem::take(&mut statement));
            }
        }
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for path in rest.split(|c| !is_name(c)).filter(|path| path.contains("::")) {
            if let Some(used) = self.absolute(module, path) {
                self.used.push((module.clone(), used));
            }
        }
    }

    fn take_use(&mut self, module: &Path, statement: &str) {
        let (before, tree) = statement.split_once("use ").unwrap();
        for path in leaves(tree.trim_end_matches(';')) {
            let (path, name) = path
                .split_once(" as ")
                .map_or((path.as_str(), None), |(path, name)| (path, Some(name)));
            let Some(used) = self.absolute(module, path.trim_end_matches("::self")) else {
                continue;
            };
            if before.starts_with("pub") {
                let name = name.map_or_else(|| used.last().unwrap().clone(), str::to_owned);
                self.known_as.insert((module.clone(), name), used);
            } else {
                self.used.push((module.clone(), used));
            }
        }
    }

    /// The path from the root of the crate; `None` where it leads out of it.
    fn absolute(&self, module: &Path, path: &str) -> Option<Path> {
        let mut parts = path.split("::").map(str::trim).map(str::to_owned).peekable();
        let mut at = module.clone();
        match parts.peek()?.as_str() {
            "crate" => {
                at.clear();
                parts.next();
            }
            "self" => {
                parts.next();
            }
            "super" => {
                while parts.next_if(|part| part == "super").is_some() {
                    at.pop();
                }
            }
            child => {
                at.push(child.to_owned());
                self.modules.contains(&at).then(|| at.pop())?;
            }
        }
        at.extend(parts);
        (at.first()? == "zarr").then_some(at)
    }

    /// The module that an item is defined in, whatever name it is used by.
    fn home(&self, path: &Path) -> Path {
        let depth =
            (1..=path.len()).rev().find(|&depth| self.modules.contains(&path[..depth])).unwrap();
        let (module, rest) = path.split_at(depth);
        let known =
            rest.first().and_then(|name| self.known_as.get(&(module.to_vec(), name.clone())));
        known.map_or_else(
            || module.to_vec(),
            |real| self.home(&[real.as_slice(), &rest[1..]].concat()),
        )
    }

    /// The modules that each module imports from. Names in a module's own ancestors are as good as its own: a parent
    /// names the terms that its children work in.
    fn imports(&self) -> BTreeMap<Path, BTreeSet<Path>> {
        let mut imports: BTreeMap<Path, BTreeSet<Path>> = BTreeMap::new();
        for (module, used) in &self.used {
            let home = self.home(used);
            if module.len() > 1 && !module.starts_with(&home) {
                imports.entry(module.clone()).or_default().insert(home);
            }
        }
        imports
    }
}

/// The files below `folder` with their modules, without their tests.
fn gather(folder: &FilePath, module: &[String], sources: &mut Vec<(Path, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let module = [module, &[name]].concat();
        if path.is_dir() {
            gather(&path, &module, sources);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let program = text.split("#[cfg(test)]\nmod ").next().unwrap();
            sources.push((module, program.to_owned()));
        }
    }
}

/// True if a program names an item that it does not define itself: as a type, a module, or a function that is called.
fn is_named(program: &str, name: &str) -> bool {
    let lines = || program.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_own = lines().any(|line| {
        let words = ["fn", "struct", "enum", "mod", "const"].map(|word| format!("{word} {name}"));
        words.iter().any(|word| line.contains(word.as_str()))
    });
    let is_type = name.starts_with(char::is_uppercase);
    !is_own
        && lines().any(|line| {
            let ends = || line.split(name).zip(line.split(name).skip(1));
            ends().any(|(before, after)| {
                !before.ends_with(|c| is_name(c) || c == '.' || c == ':')
                    && !after.starts_with(is_name)
                    && (is_type || after.starts_with('(') || after.starts_with("::"))
            })
        })
}

/// The paths of a tree such as `a::{b, c::{self, d}}`.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, inner)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let inner = inner.rsplit_once('}').unwrap().0;
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    parts.flat_map(leaves).map(|leaf| format!("{before}{leaf}")).collect()
}

#[test]
fn imports_go_down() {
    let place = |module: &Path| {
        let at = ORDER.split_whitespace().position(|name| name == module[1]);
        at.unwrap_or_else(|| panic!("{} has no place in the order", module[1]))
    };
    let mut upwards = Vec::new();
    for (module, homes) in &*IMPORTS {
        for home in homes.iter().filter(|home| place(home) > place(module)) {
            upwards.push(format!("{} imports from {}", module.join("::"), home.join("::")));
        }
    }
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
}

#[test]
fn no_file_imports_itself_by_way_of_others() {
    let imports = &*IMPORTS;
    let reaches_itself = |module: &&Path| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*module]);
        while let Some(next) = open.pop() {
            open.extend(imports.get(next).into_iter().flatten().filter(|home| seen.insert(*home)));
        }
        seen.contains(module)
    };
    let found: Vec<String> =
        imports.keys().filter(reaches_itself).map(|module| module[1..].join("::")).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn paths_are_read() {
    assert_eq!(
        leaves("a::{b, c::{self, d as e}, f}"),
        ["a::b", "a::c::self", "a::c::d as e", "a::f"]
    );
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Path>();
    assert!(
        IMPORTS[&path("zarr::spelling::layout")].contains(&path("zarr::metadata")),
        "through the name in zarr.rs"
    );
}
