//! As much of XML as the answers of servers need.

/// The contents of the XML elements of this name, whatever prefix it has.
pub(super) fn elements<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once('<')?;
            let (tag, inside) = after.split_once('>')?;
            rest = inside;
            let own = tag.split_ascii_whitespace().next().unwrap_or_default();
            if own.rsplit(':').next() == Some(name) && !tag.starts_with('/') && !tag.ends_with('/')
            {
                let (content, after) = inside.split_once(&format!("</{own}>"))?;
                rest = after;
                return Some(content);
            }
        }
    })
}

/// True if an element of this name begins in `text`.
pub(super) fn has_tag(text: &str, name: &str) -> bool {
    text.split('<').skip(1).any(|tag| {
        let own = tag.split(['>', '/', ' ']).next().unwrap_or_default();
        own.rsplit(':').next() == Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_with_any_prefix() {
        let text = "<D:multistatus><D:response><D:href>/a</D:href><D:collection/></D:response><response><href>/b</href></response></D:multistatus>";
        assert_eq!(elements(text, "href").collect::<Vec<_>>(), ["/a", "/b"]);
        assert_eq!(
            elements(text, "response").map(|r| has_tag(r, "collection")).collect::<Vec<_>>(),
            [true, false]
        );
    }
}
