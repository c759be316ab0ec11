//! The blocks of the pages of `src/findings`: the files of a store, the commands on it, and what undoes the fault.

/// A block of a page: the name of the file before it, its language, and its text.
pub(crate) struct Block {
    pub(crate) file: String,
    pub(crate) language: String,
    pub(crate) text: String,
}

impl Block {
    /// The bytes of the file: its text without the last line feed, or hexadecimal digits.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Self { file, language, text } = self;
        match language.as_str() {
            "hex" => unhex(text).unwrap_or_else(|| panic!("{file}: {text}")),
            _ => text.trim_end_matches('\n').as_bytes().to_vec(),
        }
    }
}

/// The blocks of a page in their order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let (mut file, mut found, mut open) = (String::new(), Vec::<Block>::new(), false);
    for line in page.lines() {
        match (open, line.strip_prefix("```")) {
            (false, Some(language)) => {
                let (file, language) = (file.clone(), language.to_owned());
                found.push(Block { file, language, text: String::new() });
                open = true;
            }
            (true, Some(_)) => open = false,
            (true, None) => {
                let block = found.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
            (false, None) => {
                if let Some(name) = line.strip_prefix('`').and_then(|it| it.strip_suffix('`')) {
                    name.clone_into(&mut file);
                }
            }
        }
    }
    found
}

/// The bytes of hexadecimal digits, with spaces anywhere.
fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect();
    let pairs = digits?;
    pairs.chunks(2).map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect()
}
