//! OME-Zarr 0.6: each fault with the same store without it. The rules are those of the release candidate 0.6rc0 of the
//! specification (ome/ngff-spec, 277f209) that ome-zarr-models 1.8.1 or ngff-zarr 0.50.0 have too.

use super::Made;
use zarrscope::zarr::conventions::Wanted;

/// An image of two levels, with transformations between its coordinate systems.
const IMAGE: &str = r#""multiscales": [{"name": "an image", "type": null,
    "coordinateSystems": [
        {"name": "physical", "axes": [{"name": "y", "type": "space", "unit": "micrometer", "discrete": false}, {"name": "x", "type": "space"}]},
        {"name": "turned", "axes": [{"name": "a", "type": "space"}, {"name": "b", "type": "space"}]},
        {"name": "indices", "axes": [{"name": "i", "type": "array"}, {"name": "j", "type": "array"}]},
        {"name": "volume", "axes": [{"name": "v", "type": "space"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}],
    "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.5],
            "input": {"path": "0"}, "output": {"name": "physical"}}]},
        {"path": "1", "coordinateTransformations": [{"type": "sequence", "input": {"path": "1"}, "output": {"name": "physical"},
            "transformations": [{"type": "scale", "scale": [1, 1]}, {"type": "translation", "translation": [0.25, 0.25]}]}]}],
    "coordinateTransformations": [
        {"type": "rotation", "rotation": [[0, 1], [-1, 0]], "input": {"name": "physical"}, "output": {"name": "turned", "path": null}},
        {"type": "affine", "path": "matrix", "input": {"name": "physical"}, "output": {"name": "volume"}},
        {"type": "projectAxis", "createdOutputs": [0], "droppedInputs": null, "input": {"name": "physical"}, "output": {"name": "volume"}},
        {"type": "byDimension", "input": {"name": "physical"}, "output": {"name": "indices"}, "transformations": [
            {"transformation": {"type": "scale", "scale": [2]}, "inputAxes": [1], "outputAxes": [0]},
            {"transformation": {"type": "identity"}, "inputAxes": [0], "outputAxes": [1]}]},
        {"type": "bijection", "input": {"name": "physical"}, "output": {"name": "turned"},
            "forward": {"type": "displacements", "path": "coordinateTransformations/field"},
            "inverse": {"type": "sequence", "transformations": [
                {"type": "mapAxis", "mapAxis": [1, 0]}, {"type": "affine", "affine": [[1, 0, 2], [0, 1, 3]]}]}},
        {"type": "identity", "input": {"name": "physical"}, "output": {"name": "physical", "path": "labels/cells"}}]}]"#;

const LABELS: &str = r#""multiscales": [{"coordinateSystems": [
        {"name": "physical", "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}],
    "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.5], "input": {"path": "0"}, "output": {"name": "physical"}}]},
        {"path": "1", "coordinateTransformations": [{"type": "scale", "scale": [1, 1], "input": {"path": "1"}, "output": {"name": "physical"}}]}]}]"#;

const FIELD: &str = r#""multiscales": [{"coordinateSystems": [{"name": "physical", "axes": [
        {"name": "c", "type": "displacement", "discrete": true}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}],
    "datasets": [{"path": "0", "coordinateTransformations": [{"type": "identity", "input": {"path": "0"}, "output": {"name": "physical"}}]}]}]"#;

const SCENE: &str = r#""scene": {"coordinateSystems": [{"name": "world", "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}],
    "coordinateTransformations": [
        {"type": "translation", "translation": [1, 2], "input": {"name": "physical", "path": "image"}, "output": {"name": "world"}}]}"#;

const WELL: &str = r#""well": {"images": [{"path": "field_0.zarr"}]}"#;

const PLATE: &str = r#""plate": {"rows": [{"name": "A"}], "columns": [{"name": "1"}],
    "wells": [{"path": "A/1", "rowIndex": 0, "columnIndex": 0}]}"#;

fn group(made: &mut Made, path: &str, members: &str) {
    made.group(3, path, &format!(r#"{{"ome": {{"version": "0.6", {members}}}}}"#));
}

/// Checks that a finding says all of `told`, and that there are few: each fault has one, and what follows from it few more.
#[track_caller]
fn tells(made: &Made, what: &str, told: &str) {
    let lines = made.found(Wanted::default());
    let is_told = |line: &String| told.split('|').all(|part| line.contains(part));
    assert!(lines.iter().any(is_told) && lines.len() < 4, "{what}: {lines:#?}");
}

fn array(made: &mut Made, path: &str, dimensions: &[(&str, u64)]) {
    made.array(3, path, ("uint8", "0"), dimensions, &[], None);
}

/// An image with its labels and the field of one of its transformations, below `path`.
fn image(made: &mut Made, path: &str) {
    let at = |below: &str| format!("{path}{below}").trim_matches('/').to_owned();
    group(made, &at(""), IMAGE);
    made.group(3, &at("/labels"), r#"{"ome": {"version": "0.6", "labels": ["cells"]}}"#);
    made.group(3, &at("/coordinateTransformations"), "{}");
    group(made, &at("/labels/cells"), LABELS);
    group(made, &at("/coordinateTransformations/field"), FIELD);
    for level in ["", "/labels/cells"] {
        array(made, &at(&format!("{level}/0")), &[("", 8), ("", 8)]);
        array(made, &at(&format!("{level}/1")), &[("", 4), ("", 4)]);
    }
    array(made, &at("/coordinateTransformations/field/0"), &[("", 2), ("", 8), ("", 8)]);
    made.array(3, &at("/matrix"), ("float64", "0"), &[("", 3), ("", 3)], &[], None);
}

fn scene() -> Made {
    let mut made = Made::default();
    group(&mut made, "", SCENE);
    image(&mut made, "image");
    made
}

fn plate() -> Made {
    let mut made = Made::default();
    group(&mut made, "", PLATE);
    made.group(3, "A", "{}");
    group(&mut made, "A/1", WELL);
    image(&mut made, "A/1/field_0.zarr");
    made
}

#[test]
fn images_scenes_and_plates_without_a_fault_have_no_findings() {
    let mut one = Made::default();
    image(&mut one, "");
    let mut rc = Made::default();
    image(&mut rc, "");
    group(&mut rc, "", &IMAGE.replace("\"matrix\"", "\"https://example.org/matrix\""));
    let document = rc.0.get_mut("zarr.json").unwrap();
    *document = String::from_utf8_lossy(document).replace("\"0.6\"", "\"0.6rc0\"").into_bytes();
    let all = [("image", one), ("rc", rc), ("scene", scene()), ("plate", plate())];
    for (what, made) in all {
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "{what}");
    }
}

/// What of the image is changed, to what, and what is told of it.
const FAULTS: &[(&str, &str, &str)] = &[
    // Coordinate systems.
    (r#""coordinateSystems""#, r#""axes""#, "ome-member|coordinateSystems|nothing"),
    (r#""name": "turned", "axes""#, r#""axes""#, "ome-member|coordinateSystems[1].name|nothing"),
    (
        r#""name": "turned", "axes""#,
        r#""name": "physical", "axes""#,
        "ome-member|\"physical\" twice",
    ),
    (
        r#"{"name": "b", "type": "space"}"#,
        r#"{"name": "a", "type": "space"}"#,
        "ome-member|\"a\" twice",
    ),
    (
        r#"[{"name": "a", "type": "space"}, {"name": "b", "type": "space"}]"#,
        "[]",
        "ome-member|coordinateSystems[1].axes|an array of 0",
    ),
    (
        r#"{"name": "b", "type": "space"}"#,
        r#"{"name": "b", "type": "time"}"#,
        "ome-axes|coordinateSystems[1].axes|1 axis of type \"space\"",
    ),
    (
        r#"{"name": "x", "type": "space"}]},"#,
        r#"{"name": "x", "type": "time"}]},"#,
        "ome-axes|coordinateSystems[0].axes|1 axis of type \"space\"",
    ),
    // Transformations of levels.
    (
        r#""scale": [0.5, 0.5]"#,
        r#""scale": [0.5]"#,
        "ome-transformations|datasets[0]|scale from 1 to 1 axes|2 to 2",
    ),
    (
        r#""scale": [0.5, 0.5]"#,
        r#""scale": [0.5, 0]"#,
        "ome-member|datasets[0]|scale|none of which is 0",
    ),
    (r#""scale": [0.5, 0.5]"#, r#""scale": [0.5, "0.5"]"#, "ome-member|datasets[0]|scale"),
    (
        r#""type": "scale", "scale": [0.5, 0.5]"#,
        r#""type": "rotation", "rotation": [[1, 0], [0, 1]]"#,
        "ome-transformations|datasets[0]|rotation; OME-Zarr requires one scale",
    ),
    (
        r#"[{"type": "scale", "scale": [1, 1]}, {"type": "translation", "translation": [0.25, 0.25]}]"#,
        r#"[{"type": "translation", "translation": [0.25, 0.25]}, {"type": "scale", "scale": [1, 1]}]"#,
        "ome-transformations|datasets[1]|translation, scale",
    ),
    (r#"[{"type": "scale", "scale": [1, 1]}, "#, "[", "ome-member|datasets[1]|a list of 2"),
    (
        r#""translation": [0.25, 0.25]"#,
        r#""translation": [0.25]"#,
        "ome-transformations|transformations[1]|translation from 1 to 1",
    ),
    (
        r#""scale": [1, 1]"#,
        r#""scale": [0.5, 1]"#,
        "ome-transformations|datasets[1].coordinateTransformations[0].transformations[0].scale|about 1",
    ),
    (
        r#""input": {"path": "0"}"#,
        r#""input": {"path": "1"}"#,
        "ome-transformations|datasets[0]|not the array of the level",
    ),
    (
        r#""input": {"path": "0"}"#,
        r#""input": "0""#,
        "ome-member|datasets[0]|input|the string \"0\"",
    ),
    (r#", "output": {"name": "physical"}}]},"#, "}]},", "ome-member|datasets[0]|output|nothing"),
    (
        r#""input": {"path": "1"}, "output": {"name": "physical"}"#,
        r#""input": {"path": "1"}, "output": {"name": "turned"}"#,
        "ome-transformations|datasets[1]|the first level",
    ),
    (
        r#""input": {"path": "1"}, "output": {"name": "physical"}"#,
        r#""input": {"path": "1"}, "output": {"name": "nope"}"#,
        "ome-transformations|datasets[1]|\"nope\", which is the name of no coordinate system",
    ),
    (r#""path": "1""#, r#""path": "2""#, "ome-path|\"2\", where there is no array"),
    // Transformations between coordinate systems.
    (r#""type": "rotation""#, r#""type": "turn""#, "ome-transformations|\"turn\"|mapAxis"),
    (r#""rotation": [["#, r#""turn": [["#, "ome-member|rotation is nothing"),
    ("[[0, 1], [-1, 0]]", "[[0, 1], [-1]]", "ome-member|rotation|rows of numbers"),
    (
        "[[0, 1], [-1, 0]]",
        "[[0, 1, 0], [-1, 0, 0], [0, 0, 1]]",
        "ome-transformations|rotation from 3 to 3 axes|2 to 2",
    ),
    (
        r#""affine": [[1, 0, 2], [0, 1, 3]]"#,
        r#""affine": [[1, 0], [0, 1]]"#,
        "ome-transformations|inverse.transformations[1]|affine from 1 to 2 axes",
    ),
    (r#""mapAxis": [1, 0]"#, r#""mapAxis": [1, 2]"#, "ome-member|mapAxis|each once"),
    (
        r#""mapAxis": [1, 0]"#,
        r#""mapAxis": [1, 0, 2]"#,
        "ome-transformations|mapAxis from 3 to 3 axes",
    ),
    (r#""createdOutputs": [0]"#, r#""createdOutputs": [0, 0]"#, "ome-member|createdOutputs"),
    (
        r#""createdOutputs": [0]"#,
        r#""createdOutputs": [0, 1]"#,
        "ome-transformations|projectAxis from 2 to 4 axes|2 to 3",
    ),
    (r#""inputAxes": [1]"#, r#""inputAxes": ["x"]"#, "ome-member|inputAxes|the string \"x\""),
    (r#""inputAxes": [1]"#, r#""input_axes": [1]"#, "ome-member|inputAxes|nothing"),
    (
        r#""inputAxes": [1]"#,
        r#""inputAxes": [0, 1]"#,
        "ome-transformations|scale from 1 to 1 axes|2 to 1",
    ),
    (r#""forward""#, r#""first""#, "ome-member|forward|nothing"),
    (
        "coordinateTransformations/field",
        "coordinateTransformations/x",
        "ome-path|\"coordinateTransformations/x\", where there is no array",
    ),
    (r#""path": "matrix""#, r#""path": "lost""#, "ome-path|\"lost\", where there is no array"),
    (r#""path": "matrix""#, r#""path": "0""#, "ome-transformations|affine from 7 to 8 axes"),
    (
        r#""input": {"name": "physical"}, "output": {"name": "turned", "#,
        r#""input": {"name": "nope"}, "output": {"name": "turned", "#,
        "ome-transformations|input|\"nope\"",
    ),
    (
        r#""input": {"name": "physical"}, "output": {"name": "turned", "#,
        r#""output": {"name": "turned", "#,
        "ome-member|input|nothing",
    ),
    ("labels/cells", "labels/nope", "ome-path|\"labels/nope\", where there is no group"),
    (
        r#""name": "physical", "path": "labels/cells""#,
        r#""name": "nope", "path": "labels/cells""#,
        "ome-transformations|output|\"nope\"",
    ),
];

#[test]
fn faults_of_images_are_told() {
    for (good, bad, told) in FAULTS {
        let mut made = Made::default();
        image(&mut made, "");
        assert!(IMAGE.contains(good), "{good}");
        group(&mut made, "", &IMAGE.replacen(good, bad, 1));
        tells(&made, bad, told);
    }
    let mut made = Made::default();
    image(&mut made, "");
    let axes = r#"{"name": "x", "type": "space"}, {"name": "w", "type": "space"}]},"#;
    group(&mut made, "", &IMAGE.replacen(r#"{"name": "x", "type": "space"}]},"#, axes, 1));
    let lines = made.found(Wanted::default());
    assert!(
        lines.iter().any(|line| line.contains("\"0\", an array of 2 dimensions")),
        "{lines:#?}"
    );
    let mut made = Made::default();
    image(&mut made, "");
    array(&mut made, "coordinateTransformations/field/0", &[("", 8), ("", 8)]);
    tells(&made, "a field of 2 dimensions", "ome-transformations|displacements from 1 to 2 axes");
}

#[test]
fn faults_of_scenes_plates_and_versions_are_told() {
    for (good, bad, told) in [
        (
            r#""path": "image""#,
            r#""path": "nope""#,
            "warning ome-path|\"nope\", where there is no group",
        ),
        (
            r#""name": "physical", "#,
            r#""name": "nope", "#,
            "warning ome-transformations|input|\"nope\"",
        ),
        (
            r#""output": {"name": "world"}"#,
            r#""output": {"name": "nope"}"#,
            "warning ome-transformations|output|\"nope\"",
        ),
        (
            r#""translation": [1, 2]"#,
            r#""translation": [1, 2, 3]"#,
            "warning ome-transformations|translation from 3 to 3 axes|2 to 2",
        ),
        (
            r#""coordinateTransformations""#,
            r#""transformations""#,
            "warning ome-member|scene.coordinateTransformations|nothing",
        ),
        (
            r#"[{"name": "world", "#,
            "[{",
            "warning ome-member|scene.coordinateSystems[0].name|nothing",
        ),
    ] {
        let mut made = scene();
        group(&mut made, "", &SCENE.replacen(good, bad, 1));
        tells(&made, bad, told);
    }
    for name in ["a b", "__0", "..", "a/b", ""] {
        let mut made = plate();
        group(&mut made, "A/1", &WELL.replace("field_0.zarr", name));
        tells(&made, name, "warning ome-member|well.images[0].path|letters, digits");
    }
    let mut made = scene();
    made.group(3, "", &format!(r#"{{"ome": {{{SCENE}}}}}"#));
    tells(&made, "no version", "warning ome-version|nothing");
    for (version, told) in [
        (
            "0.6.dev3",
            "limit ome-version-not-checked|\"0.6.dev3\": zarrscope checks 0.4, 0.5 and 0.6",
        ),
        ("0.7", "limit ome-version-not-checked|\"0.7\""),
        ("0.5", "warning ome-member|axes|nothing"),
    ] {
        made.group(3, "image", &format!(r#"{{"ome": {{"version": "{version}", {IMAGE}}}}}"#));
        tells(&made, version, told);
    }
    let mut made = Made::default();
    made.group(2, "", &format!(r#"{{"ome": {{"version": "0.6", {LABELS}}}}}"#));
    tells(&made, "in V2", "warning ome-format|OME-Zarr 0.6 in a Zarr V2 group");
}

/// Transformations in each other are followed to a depth, whatever the document has.
#[test]
fn nested_transformations_are_looked_at_to_a_depth() {
    let nested = |depth: usize| {
        let inner = r#"{"type": "sequence", "transformations": ["#;
        let outer = r#"{"type": "sequence", "input": {"name": "world"}, "output": {"name": "world"}, "transformations": ["#;
        let all = inner.repeat(depth);
        format!(r#"{outer}{all}{{"type": "scale", "scale": [1]}}{}]}}"#, "]}".repeat(depth))
    };
    for (depth, count) in [(3, 1), (400, 0)] {
        let mut made = scene();
        let members = SCENE.replace(
            r#"{"type": "translation""#,
            &format!("{}, {{\"type\": \"translation\"", nested(depth)),
        );
        group(&mut made, "", &members);
        assert_eq!(made.found(Wanted::default()).len(), count, "{depth}");
    }
}
