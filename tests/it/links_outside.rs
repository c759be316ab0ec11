//! Links that lead out of a store: told by `check`, in the tree and of the chunk; the bytes at their other end are not
//! given to others. Links inside a store, and links to a store, are no news.

use crate::cli::run;
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use zarrscope::{
    app::effect::Effect,
    tui::{Options, script},
};

/// The first bytes of a file that is nobody's business, and the same as `yh` and cards print them.
const SECRET: &[u8; 16] = b"-----BEGIN OPENS";
const SECRET_HEX: &str = "2d 2d 2d 2d 2d 42 45 47";

const GROUP: &str = r#"{"zarr_format":3,"node_type":"group","attributes":{}}"#;
const ARRAY: &str = r#"{"zarr_format":3,"node_type":"array","shape":[48],"data_type":"uint8","fill_value":0,
    "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[16]}},"attributes":{},
    "chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},"codecs":[{"name":"bytes"}]}"#;

/// A folder with a group `store.zarr`, in it an array `a` of three chunks, and beside it a file `id_rsa`.
fn folder() -> TempDir {
    let folder = crate::scratch();
    let store = folder.path().join("store.zarr");
    fs::create_dir(&store).unwrap();
    fs::write(store.join("zarr.json"), GROUP).unwrap();
    array(&store.join("a"));
    fs::write(folder.path().join("id_rsa"), SECRET).unwrap();
    folder
}

fn array(path: &Path) {
    fs::create_dir_all(path.join("c")).unwrap();
    fs::write(path.join("zarr.json"), ARRAY).unwrap();
    for chunk in 0..3 {
        fs::write(path.join(format!("c/{chunk}")), [7; 16]).unwrap();
    }
}

/// Puts a link to `target` in the place of what is at `path` in the store.
fn replace(folder: &TempDir, path: &str, target: impl AsRef<Path>) {
    let path = folder.path().join("store.zarr").join(path);
    if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.unwrap();
    symlink(target, path).unwrap();
}

/// The findings of `check` about links, as severity and text, and its exit code.
fn told(store: &Path) -> (Vec<String>, i32) {
    let check = run(&["check", "--json", store.to_str().unwrap()]);
    let told = check.out.lines().filter(|line| line.contains("link-outside"));
    (told.map(str::to_owned).collect(), check.code)
}

fn store(folder: &TempDir) -> PathBuf {
    folder.path().join("store.zarr")
}

#[test]
fn check_tells_of_chunks_that_are_links_in_one_note() {
    let folder = folder();
    let secret = folder.path().join("id_rsa");
    replace(&folder, "a/c/1", &secret);
    let (told_of_one, code) = told(&store(&folder));
    assert_eq!((told_of_one.len(), code), (1, 0), "{told_of_one:?}");
    for part in ["\"note\"", "a/c/1", "id_rsa, outside the store"] {
        assert!(told_of_one[0].contains(part), "{part}: {told_of_one:?}");
    }
    replace(&folder, "a/c/0", &secret);
    let (told_of_two, _) = told(&store(&folder));
    assert_eq!(told_of_two.len(), 1, "{told_of_two:?}");
    assert!(
        told_of_two[0].contains("a/c/0") && told_of_two[0].contains("2 links"),
        "{told_of_two:?}"
    );
}

#[test]
fn check_and_tree_tell_of_folders_and_documents_that_are_links() {
    for (path, is_in_tree) in [("a", true), ("a/zarr.json", true), ("a/c", false)] {
        let folder = folder();
        let elsewhere = folder.path().join("elsewhere");
        array(&elsewhere);
        replace(
            &folder,
            path,
            elsewhere.join(path.trim_start_matches('a').trim_start_matches('/')),
        );
        let store = store(&folder);
        let (told, code) = told(&store);
        assert_eq!((told.len(), code), (1, 0), "{path}: {told:?}");
        assert!(told[0].contains(&format!("\"{path}\"")), "{path}: {told:?}");
        let tree = run(&["tree", store.to_str().unwrap()]).out;
        assert_eq!(tree.contains("outside the store"), is_in_tree, "{path}: {tree}");
        let shown = script::play(&store, (120, 30), "", &Options::default()).unwrap();
        let shown = zarrscope::tui::picture::text(&shown.screen);
        assert_eq!(shown.contains("outside the store"), is_in_tree, "{path}: {shown}");
    }
}

#[test]
fn links_inside_a_store_and_to_a_store_are_no_news() {
    let folder = folder();
    replace(&folder, "a/c/1", "2");
    symlink("a", store(&folder).join("same")).unwrap();
    let stores = folder.path().join("stores");
    fs::create_dir(&stores).unwrap();
    let link = stores.join("link.zarr");
    symlink(store(&folder), &link).unwrap();
    for path in [store(&folder), link.clone(), link.join("a"), stores] {
        assert_eq!(told(&path), (Vec::new(), 0), "{}", path.display());
        let tree = run(&["tree", path.to_str().unwrap()]).out;
        assert!(!tree.contains("outside"), "{tree}");
    }
    let chunk = run(&["chunk", link.join("a").to_str().unwrap(), "c/1"]).out;
    assert!(!chunk.contains("outside"), "{chunk}");
    let card = run(&["shot", "--markdown", "--at", "a/c/1", "--keys", "2", link.to_str().unwrap()]);
    assert!(card.out.contains("07 07 07 07"), "{}{}", card.out, card.err);
}

#[test]
fn a_chunk_that_is_a_link_says_so() {
    let folder = folder();
    replace(&folder, "a/c/1", folder.path().join("id_rsa"));
    let array = store(&folder).join("a");
    let array = array.to_str().unwrap();
    for options in [&[][..], &["--json"]] {
        let chunk = run(&[&["chunk", array, "c/1"], options].concat());
        assert!(chunk.out.contains("id_rsa, outside the store"), "{}", chunk.out);
        let other = run(&[&["chunk", array, "c/0"], options].concat());
        assert!(!other.out.contains("outside"), "{}", other.out);
    }
    let keys = ":go a/c/1<enter>2";
    let shown = script::play(&store(&folder), (120, 40), keys, &Options::default()).unwrap();
    let shown = zarrscope::tui::picture::text(&shown.screen);
    assert!(shown.contains("id_rsa, outside the"), "{shown}");
}

/// The texts that keys send to the clipboard.
fn copied(store: &Path, keys: &str) -> Vec<String> {
    let played = script::play(store, (120, 40), keys, &Options::default()).unwrap();
    let copies = played.effects.into_iter().filter_map(|effect| match effect {
        Effect::Copy(text) => Some(text),
        _ => None,
    });
    copies.collect()
}

#[test]
fn bytes_outside_the_store_are_not_given_to_others() {
    let folder = folder();
    let secret = folder.path().join("id_rsa");
    let keys = |chunk: usize, copy: &str| format!(":go a/c/{chunk}<enter>2{copy}");
    for linked in ["a/c/1", "a/zarr.json", "a/c"] {
        let folder = self::folder();
        let elsewhere = folder.path().join("elsewhere");
        array(&elsewhere);
        fs::copy(&secret, elsewhere.join("c/1")).unwrap();
        let target = elsewhere.join(linked.trim_start_matches("a/"));
        replace(&folder, linked, target);
        let store = store(&folder);
        for keys in [keys(1, "yy"), keys(1, "yh")] {
            assert_eq!(copied(&store, &keys), [""; 0], "{linked}: {keys}");
        }
        let card = copied(&store, &keys(1, "Y")).concat();
        assert!(card.contains("not put into cards") && !card.contains(SECRET_HEX), "{card}");
        let path = store.to_str().unwrap();
        let shot = run(&["shot", "--markdown", "--at", "a/c/1", "--keys", "2", path]).out;
        assert!(shot.contains("not put into cards") && !shot.contains(SECRET_HEX), "{shot}");
    }
    fs::copy(&secret, store(&folder).join("a/c/1")).unwrap();
    assert_eq!(copied(&store(&folder), &keys(1, "yy")), ["45"]);
    let card = copied(&store(&folder), &keys(1, "Y")).concat();
    assert!(card.contains(SECRET_HEX), "{card}");
}
