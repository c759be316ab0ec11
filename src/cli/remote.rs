//! The options for stores on S3, Google Cloud, Azure and HTTP: every command takes them, and the page `explain storage`
//! lists them.

use super::prelude::*;

/// The options for stores that are far away.
#[derive(Debug, Clone, Args)]
pub struct RemoteFlags {
    /// The server in place of the one of Amazon, Google or Microsoft, such as `http://localhost:9000`
    #[arg(long, global = true, hide = true, value_name = "URL")]
    endpoint: Option<String>,
    /// The region of the bucket
    #[arg(long, global = true, hide = true, value_name = "NAME")]
    region: Option<String>,
    /// Use no credentials; that is also the way where none are found
    #[arg(long, global = true, hide = true)]
    anonymous: bool,
    /// A setting of the Rust crate `object_store` 0.14, such as `aws_request_payer=true`; may be repeated
    #[arg(long, global = true, hide = true, value_name = "KEY=VALUE", value_parser = setting)]
    storage_option: Vec<(String, String)>,
    /// The most requests at once [default: 64; 6 where a server speaks HTTP/1.0]
    #[arg(long, global = true, hide = true, value_name = "N")]
    requests: Option<usize>,
    /// The most requests altogether
    #[arg(long, global = true, hide = true, value_name = "N")]
    max_requests: Option<u64>,
    /// A folder in which what is read of chunks is kept, and taken from as long as the store has the same version
    #[arg(long, global = true, hide = true, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// A file that gets a line for each request: method, address, range, bytes, milliseconds, status, who asked
    #[arg(long, global = true, hide = true, value_name = "FILE")]
    log_requests: Option<PathBuf>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

impl RemoteFlags {
    /// Lets all stores be reached so.
    #[cfg(feature = "remote")]
    pub(super) fn apply(&self) -> Result<()> {
        use crate::{
            worker::output_file::{FileEntries, ResumedFile},
            zarr::store::{
                kept::keep_in,
                remote::{RemoteOptions, configure, log_to},
            },
        };
        use std::path::Path;
        configure(RemoteOptions {
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            is_anonymous: self.anonymous,
            settings: self.storage_option.clone(),
            at_once: self.requests,
            most: self.max_requests,
        });
        if let Some(folder) = &self.cache {
            keep_in(Box::new(FileEntries::open(folder)?), &self.endpoints());
        }
        if let Some(file) = &self.log_requests {
            // What is there already stays.
            let file = ResumedFile::open(file, Path::new(""))?;
            let len = file.text().map_or(0, <[u8]>::len);
            log_to(Box::new(file.keep(len)?));
        }
        Ok(())
    }

    /// The servers that addresses are asked at, as far as the user names them.
    #[cfg(feature = "remote")]
    fn endpoints(&self) -> String {
        let is_endpoint = |key: &str| key.to_ascii_lowercase().contains("endpoint");
        let given = self.storage_option.iter().filter(|(key, _)| is_endpoint(key)).cloned();
        let set = env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
        let mut all: Vec<_> = set.filter(|(key, _)| is_endpoint(key)).chain(given).collect();
        all.sort();
        format!("{:?} {all:?}", self.endpoint)
    }

    #[cfg(not(feature = "remote"))]
    pub(super) fn apply(&self) -> Result<()> {
        Ok(())
    }
}
