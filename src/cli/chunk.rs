//! `chunk`: one chunk, its stages, its bytes and values.

use super::elements::Writer;
use super::prelude::*;
use crate::zarr::chunk;
use clap::ArgGroup;

mod dump;
mod stages;

/// The arguments of `chunk`.
#[derive(Debug, Default, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[command(group = ArgGroup::new("what").args(["hex", "values", "raw"]))]
pub struct Arguments {
    /// An array, or a single chunk file
    path: PathBuf,
    /// The chunk, by key (c/0/1, 0.1) or coordinates (0,1); an inner chunk of a shard by its coordinates after an @
    /// (c/0/1@1,0), one @ per level of nested shards
    key: Option<String>,
    /// The stage to print; 0 is the file as stored [default: the last one that could be decoded]
    #[arg(long, value_name = "N")]
    stage: Option<usize>,
    /// Print only the bytes of the stage, all of them, in hexadecimal
    #[arg(long)]
    hex: bool,
    /// Print only the values, all of them, with their coordinates in the chunk
    #[arg(long)]
    values: bool,
    /// Write only the bytes of the stage, unchanged
    #[arg(long)]
    raw: bool,
    /// Print one JSON document; --hex and --values add bytes and values
    #[arg(long, conflicts_with = "raw")]
    json: bool,
    /// Continue after a checksum that does not match
    #[arg(long)]
    ignore_checksums: bool,
    /// The format of a chunk file without metadata.
    #[command(flatten)]
    description: FileDescription,
    /// The settings that the array is read by.
    #[command(flatten)]
    read_as: ReadAsFlags,
}

impl Arguments {
    /// A chunk file without metadata, as its first stages and rows.
    pub(super) fn of_file(path: &Path, description: &FileDescription) -> Self {
        let (path, description) = (path.to_owned(), description.clone());
        Self { path, description, ..Self::default() }
    }
}

/// A chunk that was loaded, and what it takes to load it again somewhere else.
struct Loaded {
    store: Arc<dyn Store>,
    path: NodePath,
    array: Arc<ArrayMetadata>,
    chunk: Chunk,
    limit: u64,
    ignore_checksums: bool,
}

impl Loaded {
    /// The same chunk, around another byte where it is too large to be held.
    fn around(&self, byte: u64) -> Chunk {
        let budget =
            Budget::default().with_limit(self.limit).ignoring_checksums(self.ignore_checksums);
        chunk::load(self.store.as_ref(), &self.path, &self.array, &self.chunk.id, byte, &budget)
    }

    fn stage(&self, number: usize) -> Option<&Stage> {
        self.chunk.stages.get(number)
    }
}

/// Prints one chunk.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let loaded = load(arguments, output)?;
    if let Some(error) = loaded.chunk.error {
        return Err(error.into());
    }
    let failed = loaded.chunk.stages.iter().find_map(|stage| stage.error.as_ref());
    let number = stage_number(arguments.stage, &loaded.chunk)?;
    if arguments.json {
        let form = stages::to_json(&loaded.chunk, &loaded.array);
        output.json(&with_contents(form, arguments, &loaded, number))?;
    } else if arguments.raw {
        write_raw(&loaded, number, output)?;
    } else if arguments.hex || arguments.values {
        dump::write_all(&loaded, number, arguments.hex, output)?;
    } else {
        stages::write(&loaded.chunk, &loaded.array, output)?;
        dump::write_head(&loaded, number, output)?;
    }
    if let Some(error) = failed.filter(|_| arguments.raw || arguments.hex || arguments.values) {
        output::complain(&error);
    }
    let sums = loaded.chunk.stages.iter().filter_map(|stage| stage.checksum.as_ref());
    Ok(ExitStatus::flawed_if(failed.is_some() || sums.into_iter().any(|sum| !sum.agrees())))
}

fn load(arguments: &Arguments, output: &Output) -> Result<Loaded, Error> {
    let OpenedArray { hierarchy, path, metadata: array, chunk, name, word } =
        arguments.description.open(&arguments.path, &arguments.read_as)?;
    if let Some(refused) = &array.refused {
        return Err(refused.clone());
    }
    let id = match (&arguments.key, chunk) {
        (Some(text), _) => ChunkId::parse(text, &array)?,
        (None, Some(id)) => id,
        (None, None) => return Err(no_key(name, &word, &array)),
    };
    let (limit, ignore_checksums) = (output.max_decoded(), arguments.ignore_checksums);
    let budget = Budget::default().with_limit(limit).ignoring_checksums(ignore_checksums);
    let store = hierarchy.store;
    let mut chunk = chunk::load_whole(store.as_ref(), &path, &array, &id, &budget);
    if arguments.description.dtype.is_some() {
        // The key is as made up as the documents.
        chunk.key = name;
    }
    Ok(Loaded { store, path, array, chunk, limit, ignore_checksums })
}

fn no_key(name: String, word: &ShellWord, array: &ArrayMetadata) -> Error {
    let text = "KEY is missing: the key or the coordinates of a chunk.";
    let error = Error::new(Code::NoSuchPlace, text, "").in_file(name);
    let (Ok(encoding), Some(shape)) = (&array.key_encoding, array.chunk_shape()) else {
        return error;
    };
    let zeros = vec![0_u64; shape.len()];
    let by_key = script!("zarrscope chunk {} {}", *word, ShellWord::key(&encoding.key(&zeros)));
    let by_key = format!("Give its key, as in `{by_key}`");
    let coordinates = zeros.iter().joined(",");
    error.with_fix(match coordinates.as_str() {
        "" => format!("{by_key}."),
        at => {
            let command = script!("zarrscope chunk {} {}", *word, ShellWord::value(at));
            format!("{by_key}, or its coordinates, as in `{command}`.")
        }
    })
}

/// The stage that was asked for, or the last one that gave something.
fn stage_number(wanted: Option<usize>, chunk: &Chunk) -> Result<usize, Error> {
    let last = chunk.stages.iter().rposition(|stage| stage.output.is_some()).unwrap_or(0);
    match wanted {
        Some(number) if number >= chunk.stages.len().max(1) => {
            let expected = format!("0 to {}", chunk.stages.len().saturating_sub(1));
            Err(Error::new(Code::InvalidArgument, number.to_string(), expected).at("--stage"))
        }
        wanted => Ok(wanted.unwrap_or(last)),
    }
}

/// Everything a stage gave, window by window where it is too large to be held.
fn write_raw(loaded: &Loaded, number: usize, output: &mut Output) -> Printed {
    windows(loaded, number, |data, range| {
        data.bytes().get(range).map_or(Ok(()), |bytes| output.raw().write_all(bytes))
    })
}

/// Calls `each` with the output of a stage and the bytes of it to look at, until all of it was seen.
fn windows(
    loaded: &Loaded,
    number: usize,
    mut each: impl FnMut(&Data, Range<u64>) -> Printed,
) -> Printed {
    let Some(mut data) = loaded.stage(number).and_then(|stage| stage.output.clone()) else {
        return Ok(());
    };
    let mut at = 0;
    while at < data.len() {
        if !data.bytes().loaded().contains(&at) {
            let again =
                loaded.around(at).stages.into_iter().nth(number).and_then(|stage| stage.output);
            match again.filter(|data| data.bytes().loaded().contains(&at)) {
                Some(there) => data = there,
                // Of a shard only the inner chunk is there; of a file that was cut while it was read, nothing more.
                None if data.bytes().loaded().start > at => at = data.bytes().loaded().start,
                None => break,
            }
        }
        let end = data.bytes().loaded().end;
        each(&data, at..end)?;
        at = end;
    }
    Ok(())
}

/// Bytes and values beside the form, where they were asked for.
fn with_contents(mut form: Json, arguments: &Arguments, loaded: &Loaded, number: usize) -> Json {
    let data = loaded.stage(number).and_then(|stage| stage.output.as_ref());
    if arguments.hex {
        let bytes = data.and_then(|data| data.bytes().as_whole());
        form.set("hex", bytes.map(|bytes| hex(bytes, "")));
    }
    if arguments.values {
        let elements = data.and_then(Data::elements);
        let values = elements.map(|elements| {
            let writer = Writer::of(elements, loaded.array.format);
            elements
                .elements(0..elements.len())
                .map(|element| writer.value(&element.value))
                .collect::<Json>()
        });
        form.set("values", values);
    }
    form
}
