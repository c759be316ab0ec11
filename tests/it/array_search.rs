//! Searches go on through all chunks of an array: where they end, what they say, how often it is there.

use crate::keys::{play_at, text};
use zarrscope::{
    app::Lane,
    tui::script::{Player, parse},
};

fn play(keys: &str) -> Player {
    play_at((120, 40), keys)
}

fn press(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

/// The element that the cursor is on after `keys`, and what is said.
fn after(keys: &str) -> (String, String) {
    let player = play(keys);
    let at = player.app.address();
    let at = at.rsplit_once('#').map_or(String::new(), |(_, at)| at.trim_end_matches('\'').into());
    (at, player.app.shared.message.map(|said| said.text).unwrap_or_default())
}

const PACKED: &str = ":go ocean/packed<enter>2";

#[test]
fn the_next_match_may_be_in_another_chunk() {
    // 1983 is in the array once, at [59,25]: in chunk c/1/0.
    let (at, said) = after(&format!("{PACKED}/=1983<enter>"));
    assert_eq!(at, "[59,25]");
    assert_eq!(said, "found in chunk c/1/0");
    let (at, said) = after(&format!("{PACKED}/=1983<enter>n"));
    assert_eq!((at.as_str(), said.as_str()), ("[59,25]", "this is the only match"));
    // From a later chunk it comes round the end.
    let (at, said) = after(&format!("{PACKED}:c/3/0<enter>/=1983<enter>"));
    assert_eq!(at, "[59,25]");
    assert!(said.starts_with("wrapped: "), "{said}");
    let (at, _) = after(&format!("{PACKED}:c/3/0<enter>/=1983<enter>:c/0/0<enter>N"));
    assert_eq!(at, "[59,25]");
    let (at, said) = after(&format!("{PACKED}/=19999<enter>"));
    assert_eq!((at.as_str(), said.as_str()), ("[0,0]", "not found in any stored chunk"));
}

#[test]
fn n_and_big_n_are_each_others_way_back() {
    // As NumPy finds them: 31 elements in two chunks.
    let mut player = play(&format!("{PACKED}/>1920<enter>"));
    let place = |player: &Player| player.app.address();
    let mut places = vec![place(&player)];
    for _ in 0..40 {
        press(&mut player, "n");
        places.push(place(&player));
    }
    let first = places[0].clone();
    let round = places.iter().skip(1).position(|at| *at == first).expect("it comes round") + 1;
    assert_eq!(round, 31);
    for chunk in ["c/1/0", "c/1/1"] {
        assert!(places.iter().any(|at| at.contains(chunk)), "{chunk} in {places:?}");
    }
    for at in (0..40).rev() {
        press(&mut player, "N");
        assert_eq!(place(&player), places[at], "{at}");
    }
}

#[test]
fn matches_are_counted_in_all_chunks() {
    let said = |keys: &str| after(&format!("{PACKED}{keys}")).1;
    assert_eq!(said("/notfill<enter>"), "15,545 matches in 15 of 15 stored chunks");
    let fill = "9,430 matches in 15 of 15 stored chunks, and all 1,665 elements of missing chunks";
    assert_eq!(said("/fill<enter>"), fill);
    assert_eq!(said("/=-32768<enter>"), fill);
    let (_, said) = after(":go broken/crc<enter>2/notfill<enter>");
    assert!(said.ends_with("in 14 of 15 stored chunks; 1 chunk cannot be read"), "{said}");
    // What was counted stays so for the next one.
    let mut player = play(&format!("{PACKED}/>1900<enter>"));
    player.slow_down(Lane::Count);
    press(&mut player, "n");
    assert!(!text(&player).contains("so far"), "{}", text(&player));
}

#[test]
fn counting_is_told_and_stopped() {
    let mut player = play(PACKED);
    player.slow_down(Lane::Count);
    press(&mut player, "/notfill<enter>");
    let footer = |player: &Player| text(player).lines().last().unwrap_or_default().to_owned();
    let told = footer(&player);
    assert!(told.contains("0 matches so far in") && told.contains("Esc stops"), "{told}");
    press(&mut player, "<esc>");
    assert!(footer(&player).contains("counting stopped"), "{}", footer(&player));
    assert_eq!(player.app.address().rsplit('#').next(), Some("[2,42]'"));
}

#[test]
fn inner_chunks_are_gone_through_one_by_one() {
    let temperature = ":go ocean/temperature<enter>2";
    let mut player = play(&format!("{temperature}/<lt>-2<enter>"));
    let first = player.app.address();
    let mut seen = vec![first.clone()];
    for _ in 0..100 {
        press(&mut player, "n");
        if player.app.address() == first {
            break;
        }
        seen.push(player.app.address());
    }
    // As NumPy finds them.
    assert_eq!(seen.len(), 47);
    let count = seen.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(count, 47, "none twice: {seen:?}");
    assert!(seen.iter().all(|at| at.contains('@')), "at the same depth: {seen:?}");
}
