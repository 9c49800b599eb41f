// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The hashkern authors

//! Equality with the standard library: `std::hash::SipHasher` is SipHash-2-4,
//! `DefaultHasher` is SipHash-1-3 with a zero key.
#![allow(deprecated)]

use hashkern_siphash::{siphash13, siphash24, SipBuild, SipHasher};
use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

/// Bytes that do not repeat, from a linear congruential generator.
fn message(len: usize, mut seed: u64) -> Vec<u8> {
    (0..len)
        .map(|_| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 56) as u8
        })
        .collect()
}

fn std24(key: &[u8; 16], data: &[u8]) -> u64 {
    let half = |at: usize| u64::from_le_bytes(key[at..at + 8].try_into().unwrap());
    let mut hasher = std::hash::SipHasher::new_with_keys(half(0), half(8));
    hasher.write(data);
    hasher.finish()
}

fn std13(data: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(data);
    hasher.finish()
}

#[test]
fn all_lengths() {
    let data = message(4200, 1);
    for len in 0..=4100 {
        for start in [0, 1, 5, 8] {
            let data = &data[start..start + len];
            let key: [u8; 16] = message(16, len as u64).try_into().unwrap();
            assert_eq!(
                siphash24(&key, data),
                std24(&key, data),
                "{len} bytes at {start}"
            );
            assert_eq!(
                siphash13(&[0; 16], data),
                std13(data),
                "{len} bytes at {start}"
            );
        }
    }
}

#[test]
fn all_splits() {
    let data = message(80, 2);
    let key: [u8; 16] = message(16, 3).try_into().unwrap();
    for len in 0..=data.len() {
        let data = &data[..len];
        for first in 0..=len {
            for second in first..=len {
                let mut hasher = SipHasher::new(&key, 2, 4);
                hasher.write(&data[..first]);
                hasher.write(&data[first..second]);
                let clone = hasher.clone();
                hasher.write(&data[second..]);
                assert_eq!(hasher.finish(), std24(&key, data));
                assert_eq!(hasher.finish(), std24(&key, data), "finish twice");
                assert_eq!(clone.finish(), std24(&key, &data[..second]), "clone");
            }
        }
    }
}

#[test]
fn byte_by_byte() {
    let data = message(1000, 4);
    let mut hasher = SipHasher::new(&[0; 16], 1, 3);
    for (at, byte) in data.iter().enumerate() {
        hasher.write(std::slice::from_ref(byte));
        assert_eq!(hasher.finish(), std13(&data[..=at]));
    }
}

#[test]
fn values() {
    let build = SipBuild::new([0; 16]);
    let value = ("name", 7u8, 9u64, [1u16, 2, 3], Some('x'), vec![1u32; 5]);
    let mut std = DefaultHasher::new();
    value.hash(&mut std);
    assert_eq!(build.hash_one(&value), std.finish());
}

#[test]
fn map() {
    let mut map = HashMap::with_hasher(SipBuild::new24(*b"0123456789abcdef"));
    for i in 0..10_000u32 {
        map.insert(i.to_string(), i);
    }
    assert!((0..10_000u32).all(|i| map[&i.to_string()] == i));
}
