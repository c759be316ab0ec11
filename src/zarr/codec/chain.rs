//! The codecs of an array, built and checked: what each one takes and gives.
//!
//! A chain is built forwards, as an array would be written, because only so it is known what array each codec meets:
//! `transpose` changes the shape, `cast_value` the data type. A codec that cannot be built is kept with its error, so
//! that decoding gets as far as it can.

use super::SLACK;
use super::prelude::*;

/// The codecs of an array in encoding order.
#[derive(Debug, Clone)]
pub struct Chain {
    /// Each codec.
    pub links: Vec<Link>,
    /// The fault of the chain as such: that nothing in it makes bytes of elements.
    pub fault: Option<Error>,
}

/// One codec in its place.
#[derive(Debug, Clone)]
pub struct Link {
    /// As the document has it.
    pub spec: CodecSpec,
    /// The codec, or why there is none.
    pub codec: Result<Arc<dyn Codec>>,
    /// The row of the codec; `None` for unknown codecs.
    pub row: Option<&'static CodecRow>,
    /// The array before this codec encodes it (for bytes → bytes codecs: the last there was); `None` where it is not
    /// known.
    pub decoded: Option<Representation>,
    /// The number of bytes before this codec encodes them.
    pub decoded_size: ByteCount,
    /// The number of bytes this codec makes.
    pub encoded_size: ByteCount,
    /// Notes on its name and configuration.
    pub notes: Vec<Note>,
    /// True if its checksum is ignored, whatever the budget says.
    ignores_checksums: bool,
}

/// The progress of the chain from elements to bytes.
struct ChainBuilder {
    array: Option<Representation>,
    size: ByteCount,
    bytes: bool,
    /// The codec that could not be built, where it is not known whether it makes elements or bytes.
    lost: Option<CodecSpec>,
}

impl Chain {
    /// Builds the chain `specs` for `array`, which is `None` where its data type or shape is not known. `registry` is
    /// what documents may name; `depth` says how many sharding codecs are around the chain.
    pub fn build(
        specs: &[CodecSpec],
        format: Format,
        registry: &Registry,
        array: Option<&Representation>,
        depth: usize,
    ) -> Self {
        let size = ByteCount::exactly(array.and_then(Representation::byte_len));
        let start = ChainBuilder { array: array.cloned(), size, bytes: false, lost: None };
        let specs = with_serializer(specs, format, registry, array);
        start.chain(&specs, |spec| Setup { spec, format, registry, array: None, depth })
    }

    /// Builds a V3 chain that begins after an array → bytes codec: all of its codecs work on bytes. `around` is the
    /// codec that holds it.
    pub fn of_bytes(specs: &[CodecSpec], around: &Setup) -> Self {
        let (array, size) = (around.array.cloned(), ByteCount::default());
        let start = ChainBuilder { array, size, bytes: true, lost: None };
        start.chain(specs, |spec| Setup { spec, depth: around.depth + 1, ..*around })
    }

    /// The first codec that cannot be built, or what else keeps the chain from decoding anything.
    pub fn error(&self) -> Option<&Error> {
        self.links.iter().find_map(|link| link.codec.as_ref().err()).or(self.fault.as_ref())
    }

    /// The number of bytes a stored chunk has.
    pub fn encoded_size(&self) -> ByteCount {
        self.links.last().map_or_else(ByteCount::default, |link| link.encoded_size)
    }

    /// The bytes of memory that reading and decoding take at most, what is stored and what every codec gives together,
    /// if none may give more than `limit`. `stored` is the number of stored bytes where it is known.
    pub fn cost(&self, stored: Option<u64>, limit: u64) -> u64 {
        let most = self.encoded_size().most.unwrap_or(u64::MAX).min(limit);
        let stored = stored.map_or(most, |stored| stored.min(most));
        self.links.iter().map(|link| link.cost(limit)).fold(stored, u64::saturating_add)
    }

    /// True if stored bytes are elements as stored: nothing but `bytes` and codecs that only reorder.
    pub fn is_raw(&self) -> bool {
        self.fault.is_none()
            && self
                .links
                .iter()
                .all(|link| link.codec.is_ok() && link.row.is_some_and(|row| row.is_raw))
    }

    /// True if a codec in it computes other numbers than those that are stored.
    pub fn computes_numbers(&self) -> bool {
        self.links.iter().any(|link| {
            link.codec.as_ref().is_ok_and(|codec| codec.stored_numbers().is_some())
                || link.sharding().is_some_and(|sharding| sharding.inner.computes_numbers())
        })
    }

    /// The index of `sharding_indexed` in the chain; `None` without one.
    pub fn sharding(&self) -> Option<usize> {
        self.links.iter().position(|link| link.sharding().is_some())
    }
}

impl Chain {
    /// Checks that the index of every shard may be held, before anything of a chunk is read.
    ///
    /// # Errors
    ///
    /// If one takes more than one codec may give.
    pub(in crate::zarr) fn fits(&self, budget: &Budget) -> Result<()> {
        let mut shards = self.links.iter().filter_map(|link| Some((link, link.sharding()?)));
        shards.try_for_each(|(link, sharding)| {
            sharding.fits(budget).map_err(|error| error.at(&link.spec.field))
        })
    }

    /// Undoes all codecs on `input`.
    ///
    /// # Errors
    ///
    /// The first error of a codec, with its field.
    pub fn decode(&self, input: Data, budget: &Budget) -> Result<Data> {
        self.fault.clone().map_or(Ok(()), Err)?;
        let undo = |data, link: &Link| {
            link.decode(&data, budget).whole().map_err(|error| error.at(&link.spec.field))
        };
        self.links.iter().rev().try_fold(input, undo)
    }

    /// Applies all codecs to the elements of a whole chunk: what it is stored as.
    ///
    /// # Errors
    ///
    /// The first error of a codec, with its field; that one codec cannot encode is [`Code::CodecNotEncoded`]. Elements
    /// of another shape or data type than the chain was built for are refused.
    pub fn encode(&self, input: Data, budget: &Budget) -> Result<Data> {
        self.error().cloned().map_or(Ok(()), Err)?;
        let array = self.links.first().and_then(|link| link.decoded.as_ref());
        if let (Some(elements), Some(array)) = (input.elements(), array) {
            let (found, wanted) = (elements.data_type().name(), array.data_type.name());
            if (&found, elements.shape()) != (&wanted, array.shape.as_slice()) {
                let found = format!("{found} elements of shape {}", times(elements.shape()));
                let expected = format!("{wanted} elements of shape {}", times(&array.shape));
                return Err(Error::new(Code::OtherDataType, found, expected));
            }
        }
        let apply = |data, link: &Link| {
            link.encode(&data, budget).map_err(|error| error.at(&link.spec.field))
        };
        self.links.iter().try_fold(input, apply)
    }
}

impl Link {
    /// The bytes that it gives at most, if that is no more than `limit`.
    fn most(&self, limit: u64) -> u64 {
        most(self.decoded_size, limit)
    }

    /// Applies this codec to `input`.
    ///
    /// # Errors
    ///
    /// As [`Codec::encode`], and why there is no codec where there is none.
    pub fn encode(&self, input: &Data, budget: &Budget) -> Result<Data> {
        let budget = budget.with_limit(most(self.encoded_size, budget.limit()));
        let (decoded, expected) = (self.decoded.as_ref(), self.encoded_size.exact);
        let codec = self.codec.as_ref().map_err(Clone::clone)?;
        codec.encode(&Context { input, decoded, expected, budget })
    }

    /// The bytes of memory that undoing it takes at most.
    pub(in crate::zarr) fn cost(&self, limit: u64) -> u64 {
        if self.row.is_some_and(|row| row.is_raw) {
            return 0;
        }
        let inner = self
            .sharding()
            .map_or(0, |shard| shard.inner.cost(None, limit).saturating_add(shard.index_memory()));
        // Of elements that vary in length, the place of each is as large again.
        let places = self.decoded.as_ref().filter(|array| array.byte_len().is_none());
        let places = places.map_or(0, |_| limit);
        let most = self.most(limit);
        let kept = self.row.map_or(0, |row| row.keeps.min(most));
        [kept, places, inner].into_iter().fold(most, u64::saturating_add)
    }

    /// Undoes this codec on `input`, within `budget`. A checksum that does not agree is an error here, or a note where
    /// it is to be ignored.
    pub fn decode(&self, input: &Data, budget: &Budget) -> Outcome {
        let sharding = self.sharding();
        // The index of a shard may be larger than its elements.
        let index = sharding.map_or(0, |shard| shard.index_memory().min(budget.limit()));
        let budget_here = budget.with_limit(self.most(budget.limit()).max(index));
        let (decoded, expected) = (self.decoded.as_ref(), self.decoded_size.exact);
        let context = Context { input, decoded, expected, budget: budget_here };
        let outcome = self.codec.clone().and_then(|codec| codec.decode(&context));
        let ignore = self.ignores_checksums || budget.ignores_checksums();
        judge_checksum(outcome.unwrap_or_else(Outcome::failed), ignore)
    }
}

/// The codecs `specs`; where V3 lists only such as are on the other sides of it, with the codec that it should list:
/// elements side by side, little-endian.
fn with_serializer<'a>(
    specs: &'a [CodecSpec],
    format: Format,
    registry: &Registry,
    array: Option<&Representation>,
) -> Cow<'a, [CodecSpec]> {
    let kind = |spec| registry.codecs.read_as(spec, format).map(|row| row.kind);
    let kinds: Vec<_> = specs.iter().map(|spec| kind(&spec.name)).collect();
    let is_missing =
        kinds.iter().all(|kind| kind.is_some_and(|kind| kind != CodecKind::ArrayToBytes));
    let is_fixed = array.is_some_and(|array| array.data_type.fixed_size().is_some());
    if format == Format::V2 || !is_missing || !is_fixed {
        return Cow::Borrowed(specs);
    }
    let text = "The list of codecs has no array → bytes codec, such as \"bytes\", which the specification requires; \
                little-endian is a guess. zarrita 0.7.5 and GDAL 3.12.2 read it that way; zarr-python 3.4.2, zarrs 0.23.14 and TensorStore \
                0.1.86 refuse the array.";
    let notes = vec![Note::new(Code::SerializerMissing, text)];
    let at = kinds.iter().position(|kind| *kind == Some(CodecKind::BytesToBytes));
    let mut specs = specs.to_vec();
    let implied = CodecSpec { notes, field: "codecs".into(), ..CodecSpec::implied() };
    specs.insert(at.unwrap_or(specs.len()), implied);
    Cow::Owned(specs)
}

/// The bytes that a codec gives at most where `size` is promised, if that is no more than `limit`.
fn most(size: ByteCount, limit: u64) -> u64 {
    let promised = size.most.map(|most| most.saturating_add(most / 8 + SLACK));
    promised.unwrap_or(u64::MAX).min(limit)
}

pub(super) fn judge_checksum(mut outcome: Outcome, ignore: bool) -> Outcome {
    let Some(checksum) = outcome.checksum.as_ref().filter(|checksum| !checksum.agrees()) else {
        return outcome;
    };
    if ignore {
        let text = format!(
            "The {} does not match: stored {:#010x}, computed {:#010x}.",
            checksum.algorithm, checksum.stored, checksum.computed
        );
        outcome.notes.push(Note::new(Code::ChecksumMismatch, text));
    } else if outcome.error.is_none() {
        let found = format!("the stored {} {:#010x}", checksum.algorithm, checksum.stored);
        let expected = format!("{:#010x}, computed from the bytes", checksum.computed);
        let error = Error::new(Code::ChecksumMismatch, found, expected);
        outcome.error = Some(error.at_offset(checksum.bytes.start));
    }
    outcome
}

impl ChainBuilder {
    /// Builds every codec, each from what `setup` makes of it.
    fn chain<'a>(
        mut self,
        specs: &'a [CodecSpec],
        setup: impl Fn(&'a CodecSpec) -> Setup<'a>,
    ) -> Chain {
        let links = specs.iter().map(|spec| self.link(&setup(spec))).collect();
        let fault = (!self.bytes && self.lost.is_none()).then(|| {
            let found = "no array → bytes codec";
            Error::new(Code::CodecOrder, found, "exactly one, such as \"bytes\"").at("codecs")
        });
        Chain { links, fault }
    }

    /// Builds the codec that `setup` describes, for the array that it meets here.
    fn link(&mut self, setup: &Setup) -> Link {
        let spec = setup.spec;
        let ignores_checksums = setup.registry.ignores_checksums;
        let setup = Setup { array: self.array.as_ref(), ..*setup };
        let row = setup.registry.codecs.read_as(&spec.name, setup.format);
        let mut notes = spec.notes.clone();
        let built = setup.registry.codecs.build(&setup).map(|built| {
            notes.extend(built.notes);
            built.value
        });
        let decoded = self.array.clone();
        let decoded_size = self.size;
        let codec = match built {
            Ok(codec) => self.in_order(&codec, spec).and_then(|()| self.step(codec, spec)),
            Err(error) => Err(self.lose(spec, error)),
        };
        Link {
            spec: spec.clone(),
            codec,
            row,
            decoded,
            decoded_size,
            encoded_size: self.size,
            notes,
            ignores_checksums,
        }
    }

    /// Goes past a codec that is not understood: what it makes is not known either.
    fn lose(&mut self, spec: &CodecSpec, error: Error) -> Error {
        if !self.bytes {
            self.array = None;
            self.lost.get_or_insert_with(|| spec.clone());
        }
        self.size = ByteCount::default();
        error
    }

    /// Refuses a codec on the wrong side of the bytes.
    fn in_order(&self, codec: &Arc<dyn Codec>, spec: &CodecSpec) -> Result<()> {
        let name = quoted(&spec.name);
        let (found, expected) = match (codec.kind(), self.bytes) {
            (CodecKind::ArrayToArray, true) => (
                format!("{name} (array → array) after the array → bytes codec"),
                "{name} before it",
            ),
            (CodecKind::ArrayToBytes, true) => {
                (format!("{name} as a second array → bytes codec"), "exactly one")
            }
            (CodecKind::ArrayToBytes, false) if self.array.is_none() => {
                let Some(lost) = &self.lost else { return Ok(()) };
                let lost = format!("the codec {} ({})", quoted(&lost.name), lost.field);
                let found = format!("the output of {lost}, which is unknown");
                let expected = "a known data type and shape";
                return Err(Error::new(Code::UnknownArray, found, expected).at(&spec.field));
            }
            (CodecKind::BytesToBytes, false) if self.lost.is_none() => (
                format!("{name} (bytes → bytes) before the array → bytes codec"),
                "an array → bytes codec before it, such as \"bytes\"",
            ),
            _ => return Ok(()),
        };
        Err(Error::new(Code::CodecOrder, found, expected).at(&spec.field))
    }

    /// Goes past a codec: what is after it.
    fn step(&mut self, codec: Arc<dyn Codec>, spec: &CodecSpec) -> Result<Arc<dyn Codec>> {
        if codec.kind() != CodecKind::ArrayToArray {
            // What a shuffle or a compressor gives are no elements any more.
            self.array = self.array.take().filter(|_| codec.kind() == CodecKind::ArrayToBytes);
            self.bytes = true;
            self.size = codec.encoded_size(self.size);
            return Ok(codec);
        }
        match self.array.as_ref().map(|array| codec.encoded(array)) {
            None => {}
            Some(Err(error)) => return Err(self.lose(spec, error)),
            Some(Ok(array)) => {
                self.size = ByteCount::exactly(array.byte_len());
                self.array = Some(array);
            }
        }
        Ok(codec)
    }
}
