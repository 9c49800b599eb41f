// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The hashkern authors

//! SipHash-2-4 of one message: hashkern's one-shot function against the
//! standard library's `SipHasher`, in one run, the rounds interleaved, the
//! smallest time of each. Two figures for each: calls one after another that do
//! not depend on each other, and calls whose key is the result of the last.
//!
//! "rounds" is the limit: the same number of SipRounds and nothing else, neither
//! message nor length. How far std is from it is all that can be gained.
#![allow(deprecated)]

use std::hash::{Hasher, SipHasher};
use std::hint::black_box;
use std::time::Instant;

const SIZES: [usize; 10] = [4, 7, 8, 16, 32, 64, 128, 445, 1024, 65536];
const ROUNDS: usize = 400;

fn standard(key: &[u8; 16], data: &[u8]) -> u64 {
    let k0 = u64::from_le_bytes(key[..8].try_into().unwrap());
    let k1 = u64::from_le_bytes(key[8..].try_into().unwrap());
    let mut hasher = SipHasher::new_with_keys(k0, k1);
    hasher.write(data);
    hasher.finish()
}

/// As many SipRounds as the message takes, from the key alone.
fn rounds(key: &[u8; 16], data: &[u8]) -> u64 {
    let k0 = u64::from_le_bytes(key[..8].try_into().unwrap());
    let k1 = u64::from_le_bytes(key[8..].try_into().unwrap());
    let (mut v0, mut v1, mut v2, mut v3) = (k0, k1, !k0, !k1);
    for _ in 0..data.len() / 8 + 3 {
        for _ in 0..2 {
            v0 = v0.wrapping_add(v1);
            v2 = v2.wrapping_add(v3);
            v1 = v1.rotate_left(13) ^ v0;
            v3 = v3.rotate_left(16) ^ v2;
            v0 = v0.rotate_left(32).wrapping_add(v3);
            v2 = v2.wrapping_add(v1);
            v1 = v1.rotate_left(17) ^ v2;
            v3 = v3.rotate_left(21) ^ v0;
            v2 = v2.rotate_left(32);
        }
    }
    v0 ^ v1 ^ v2 ^ v3
}

/// Nanoseconds of one call; the key of each call takes in the last result if
/// `chained`.
fn once(hash: fn(&[u8; 16], &[u8]) -> u64, data: &[u8], calls: usize, chained: bool) -> f64 {
    let mut key = [7u8; 16];
    let start = Instant::now();
    for _ in 0..calls {
        let result = hash(black_box(&key), black_box(data));
        if chained {
            key[..8].copy_from_slice(&result.to_le_bytes());
        } else {
            black_box(result);
        }
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

const HASHES: [fn(&[u8; 16], &[u8]) -> u64; 3] = [standard, hashkern_siphash::siphash24, rounds];

fn main() {
    let data = vec![0x2du8; 65536];
    println!("SipHash-2-4, nanoseconds a call; ratio: std / hashkern, most: std / rounds");
    println!(
        "{:>6}  {:^35}   {:^35}",
        "", "independent calls", "chained calls"
    );
    let titles = format!(
        "{:>8} {:>8} {:>6} {:>8} {:>5}",
        "std", "hashkern", "ratio", "rounds", "most"
    );
    println!("{:>6}  {titles}  {titles}", "bytes");
    for size in SIZES {
        let data = &data[..size];
        let calls = 200_000 / (size + 40) + 1;
        let mut best = [f64::MAX; 6];
        for _ in 0..ROUNDS {
            for (slot, best) in best.iter_mut().enumerate() {
                *best = best.min(once(HASHES[slot % 3], data, calls, slot >= 3));
            }
        }
        print!("{size:>6}");
        for [standard, ours, rounds] in [[best[0], best[1], best[2]], [best[3], best[4], best[5]]] {
            print!(
                "  {standard:>8.2} {ours:>8.2} {:>6.3} {rounds:>8.2} {:>5.2}",
                standard / ours,
                standard / rounds
            );
        }
        println!();
    }
}
