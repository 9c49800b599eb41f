// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The hashkern authors

//! SipHash-2-4 of one message: hashkern's one-shot function against the
//! standard library's `SipHasher`, in one run, the rounds interleaved, the
//! smallest time of each. Two figures for each: calls one after another that do
//! not depend on each other, and calls whose key is the result of the last.
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

fn main() {
    let data = vec![0x2du8; 65536];
    println!("SipHash-2-4, nanoseconds a call (ratio: std / hashkern)");
    println!(
        "{:>6}  {:>9} {:>9} {:>6}   {:>9} {:>9} {:>6}",
        "bytes", "std", "hashkern", "ratio", "std", "hashkern", "ratio"
    );
    println!(
        "{:>6}  {:^26}   {:^26}",
        "", "independent calls", "chained calls"
    );
    for size in SIZES {
        let data = &data[..size];
        let calls = 200_000 / (size + 40) + 1;
        let mut best = [f64::MAX; 4];
        for _ in 0..ROUNDS {
            for (slot, best) in best.iter_mut().enumerate() {
                let hash = if slot % 2 == 0 {
                    standard
                } else {
                    hashkern_siphash::siphash24
                };
                *best = best.min(once(hash, data, calls, slot >= 2));
            }
        }
        println!(
            "{size:>6}  {:>9.2} {:>9.2} {:>6.3}   {:>9.2} {:>9.2} {:>6.3}",
            best[0],
            best[1],
            best[0] / best[1],
            best[2],
            best[3],
            best[2] / best[3]
        );
    }
}
