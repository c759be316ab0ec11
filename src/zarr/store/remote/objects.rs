//! The object stores of Amazon, Google and Microsoft, and those that speak as they do.

use super::{
    super::key::with_slash,
    Address, ListingPage, PageRequest, RemoteOptions, Scheme, Server, Stat, etag,
    fault::Fault,
    transport::{Connector, take_fault},
};
use crate::zarr::prelude::*;
use object_store::{
    GetOptions, GetRange, GetResult, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    azure::{AzureConfigKey, MicrosoftAzureBuilder},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    list::{PaginatedListOptions, PaginatedListStore},
    path::Path,
};
use std::{
    env, fs,
    future::Future,
    pin::pin,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

/// A bucket.
#[derive(Debug)]
struct Bucket<T>(T);

/// The builder with `settings`. Those of the three stores have the same functions and no trait.
macro_rules! configured {
    ($builder:expr, $key:ty, $settings:expr) => {{
        let mut builder = $builder;
        for (key, value) in $settings {
            let key = key.parse::<$key>().map_err(|_unknown| unknown_setting(key))?;
            builder = builder.with_config(key, value);
        }
        builder
    }};
}

/// The store of a builder, which is asked without credentials where there are none or none are wanted.
macro_rules! finished {
    ($builder:expr, $options:expr, $has_credentials:expr) => {{
        let is_anonymous = $options.is_anonymous || !$has_credentials;
        let builder = $builder.with_retry(once()).with_http_connector(Connector);
        let builder = if is_anonymous { builder.with_skip_signature(true) } else { builder };
        let store = builder.build().map_err(|error| bad_settings(&error))?;
        Ok((Arc::new(Bucket(store)), is_anonymous))
    }};
}

/// The bucket of an address, and whether it is asked without credentials.
pub(super) fn server(
    address: &Address,
    options: &RemoteOptions,
) -> Result<(Arc<dyn Server>, bool)> {
    match address.scheme {
        Scheme::S3 => amazon(address, options),
        Scheme::Google => google(address, options),
        Scheme::Azure | Scheme::Http => azure(address, options),
    }
}

fn amazon(address: &Address, options: &RemoteOptions) -> Result<(Arc<dyn Server>, bool)> {
    use AmazonS3ConfigKey as Key;
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(&address.place);
    let mut keys = profile(options);
    keys.extend(options.settings.iter().cloned());
    builder = configured!(builder, AmazonS3ConfigKey, &keys);
    if let Some(region) = &options.region {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    let credentials = [
        Key::AccessKeyId,
        Key::WebIdentityTokenFile,
        Key::ContainerCredentialsRelativeUri,
        Key::ContainerCredentialsFullUri,
        Key::MetadataEndpoint,
    ];
    let has_credentials = credentials.iter().any(|key| builder.get_config_value(key).is_some());
    finished!(builder.with_allow_http(true), options, has_credentials)
}

fn google(address: &Address, options: &RemoteOptions) -> Result<(Arc<dyn Server>, bool)> {
    use GoogleConfigKey as Key;
    let mut builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(&address.place);
    builder = configured!(builder, GoogleConfigKey, &options.settings);
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_base_url(endpoint);
    }
    let login = home().map(|home| home.join(".config/gcloud/application_default_credentials.json"));
    let credentials = [Key::ServiceAccount, Key::ServiceAccountKey, Key::ApplicationCredentials];
    let has_credentials = credentials.iter().any(|key| builder.get_config_value(key).is_some())
        || login.is_some_and(|file| file.is_file());
    finished!(builder, options, has_credentials)
}

fn azure(address: &Address, options: &RemoteOptions) -> Result<(Arc<dyn Server>, bool)> {
    use AzureConfigKey as Key;
    let mut builder = MicrosoftAzureBuilder::from_env();
    builder = configured!(builder, AzureConfigKey, &options.settings);
    // abfs://container@account.dfs.core.windows.net/path, or az://container/path with the account in the environment.
    builder = match &address.user {
        Some(container) => {
            let account = address.place.split('.').next().unwrap_or_default();
            builder.with_account(account).with_container_name(container)
        }
        None => builder.with_container_name(&address.place),
    };
    if let Some(endpoint) = &options.endpoint {
        builder = builder.with_endpoint(endpoint.clone());
    }
    if !address.query.is_empty() {
        let pairs = address.query.split('&').filter_map(|pair| pair.split_once('='));
        let pairs: Vec<_> =
            pairs.map(|(key, value)| (key.to_owned(), super::address::decoded(value))).collect();
        builder = builder.with_sas_authorization(pairs);
    }
    let credentials = [Key::AccessKey, Key::SasKey, Key::Token, Key::ClientId];
    let has_credentials = !address.query.is_empty()
        || credentials.iter().any(|key| builder.get_config_value(key).is_some());
    finished!(builder.with_allow_http(true), options, has_credentials)
}

/// No attempt after the first: the transport makes them.
fn once() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

fn unknown_setting(key: &str) -> Error {
    let text = format!("There is no storage option {}.", safe(key));
    Error::new(Code::NoSuchPlace, text, "")
        .with_fix("The keys are those of the Rust crate object_store 0.14.")
}

fn bad_settings(error: &object_store::Error) -> Error {
    let text = format!("The store cannot be reached with these settings: {error}.");
    Error::new(Code::NoSuchPlace, text, "")
}

fn home() -> Option<PathBuf> {
    env::home_dir()
}

/// The settings in the files of Amazon's tools, for the profile that the environment names: those that are not in the
/// environment itself.
fn profile(options: &RemoteOptions) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if options.is_anonymous || env::var_os("AWS_ACCESS_KEY_ID").is_some() {
        return found;
    }
    let name = env::var("AWS_PROFILE").unwrap_or_else(|_unset| "default".into());
    let file = |variable: &str, name: &str| {
        let given = env::var_os(variable).map(PathBuf::from);
        given.or_else(|| home().map(|home| home.join(".aws").join(name)))
    };
    for (file, section) in [
        (file("AWS_CONFIG_FILE", "config"), format!("profile {name}")),
        (file("AWS_CONFIG_FILE", "config"), name.clone()),
        (file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), name),
    ] {
        let text = file.and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        let mut here = false;
        for line in text.lines().map(str::trim) {
            if let Some(head) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                here = head.trim() == section;
            }
            let Some((key, value)) = line.split_once('=').filter(|_| here) else { continue };
            let key = key.trim();
            let is_known =
                ["aws_access_key_id", "aws_secret_access_key", "aws_session_token", "region"];
            if is_known.contains(&key) && (key != "region" || env::var_os("AWS_REGION").is_none()) {
                found.push((key.to_owned(), value.trim().to_owned()));
            }
        }
    }
    found
}

/// The fault of the last request, or what the library itself found wrong.
fn fault(error: &object_store::Error) -> Fault {
    take_fault().unwrap_or_else(|| Fault::Other(error.to_string()))
}

impl<T: ObjectStore + PaginatedListStore> Bucket<T> {
    fn ask(&self, key: &str, options: GetOptions) -> Result<Option<GetResult>, Fault> {
        // A key that is no path names nothing.
        let Ok(path) = Path::parse(key) else { return Ok(None) };
        take_fault();
        match wait(self.0.get_opts(&path, options)) {
            Ok(result) => Ok(Some(result)),
            Err(error) => match fault(&error) {
                Fault::Status { status: 416, .. } => Ok(None),
                fault if fault.is_absence() => Ok(None),
                fault => Err(fault),
            },
        }
    }
}

impl<T: ObjectStore + PaginatedListStore> Server for Bucket<T> {
    fn get(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        _most: u64,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let is_part = range.is_some();
        let options = GetOptions::new().with_range(range.map(GetRange::Bounded));
        match self.ask(key, options)? {
            Some(result) => {
                let bytes = wait(result.bytes()).map_err(|error| fault(&error))?;
                Ok(Some(bytes.to_vec()))
            }
            // A part that is behind the end is empty.
            None if is_part && self.head(key)?.is_some() => Ok(Some(Vec::new())),
            None => Ok(None),
        }
    }

    fn head(&self, key: &str) -> Result<Option<Stat>, Fault> {
        let result = self.ask(key, GetOptions::new().with_head(true))?;
        Ok(result.map(|result| stat(&result.meta)))
    }

    fn page(&self, asked: &PageRequest) -> Result<Option<ListingPage>, Fault> {
        let folder = with_slash(asked.prefix);
        let options = PaginatedListOptions {
            delimiter: (!asked.is_deep).then_some("/".into()),
            page_token: asked.token.map(ToOwned::to_owned),
            ..PaginatedListOptions::default()
        };
        take_fault();
        let prefix = Some(folder.as_str()).filter(|folder| !folder.is_empty());
        let listed = wait(self.0.list_paginated(prefix, options)).map_err(|error| fault(&error))?;
        let name = |path: &Path| path.as_ref().strip_prefix(&folder).map(ToOwned::to_owned);
        let mut page = ListingPage { next: listed.page_token, ..ListingPage::default() };
        page.folders = listed.result.common_prefixes.iter().filter_map(name).collect();
        let objects = &listed.result.objects;
        for (at, object) in objects.iter().enumerate() {
            // Some programs make an empty object of the name of each folder.
            let is_folder = |next: &str| {
                next.strip_prefix(object.location.as_ref())
                    .is_some_and(|rest| rest.starts_with('/'))
            };
            let is_marker = object.size == 0
                && (objects.get(at + 1).is_some_and(|next| is_folder(next.location.as_ref()))
                    || listed.result.common_prefixes.contains(&object.location));
            if let Some(name) = name(&object.location).filter(|_| !is_marker) {
                page.files.push((name, Some(stat(object))));
            }
        }
        Ok(Some(page))
    }
}

fn stat(object: &object_store::ObjectMeta) -> Stat {
    let modified = Some(SystemTime::from(object.last_modified));
    Stat { len: object.size, modified, etag: object.e_tag.as_deref().map(etag) }
}

struct WakingThread(Thread);

impl Wake for WakingThread {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The outcome of `future`. The requests of this program are made where they are asked for, so that it waits for
/// nothing but another thread that renews credentials.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(WakingThread(thread::current())));
    let (mut future, mut context) = (pin!(future), Context::from_waker(&waker));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(outcome) => return outcome,
            Poll::Pending => thread::park(),
        }
    }
}
