// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The hashkern authors

//! hashkern's SipHash behind the standard library's `Hasher` and
//! `BuildHasher`, so that a `HashMap` can use it.

use std::hash::{BuildHasher, Hasher};

/// `hk_siphash_ctx` of hashkern.h, field for field.
#[repr(C)]
#[derive(Clone)]
struct Context {
    narrow: [u64; 4],
    wide: [u64; 4],
    length: u64,
    buffer: [u8; 8],
    c_rounds: u8,
    d_rounds: u8,
    has_narrow: u8,
    has_wide: u8,
}

extern "C" {
    fn hk_siphash24(key: *const u8, data: *const u8, len: usize) -> u64;
    fn hk_siphash13(key: *const u8, data: *const u8, len: usize) -> u64;
    fn hk_siphash_init64(ctx: *mut Context, key: *const u8, c_rounds: u32, d_rounds: u32);
    fn hk_siphash_update(ctx: *mut Context, data: *const u8, len: usize);
    fn hk_siphash_final64(ctx: *mut Context) -> u64;
}

/// SipHash-2-4 of a whole message.
pub fn siphash24(key: &[u8; 16], data: &[u8]) -> u64 {
    // SAFETY: both pointers are valid for the lengths that the function reads.
    unsafe { hk_siphash24(key.as_ptr(), data.as_ptr(), data.len()) }
}

/// SipHash-1-3 of a whole message.
pub fn siphash13(key: &[u8; 16], data: &[u8]) -> u64 {
    // SAFETY: as above.
    unsafe { hk_siphash13(key.as_ptr(), data.as_ptr(), data.len()) }
}

/// A hash in progress. `finish` may be called at any time and again.
#[derive(Clone)]
pub struct SipHasher(Context);

impl SipHasher {
    /// SipHash-`c_rounds`-`d_rounds` under a key.
    pub fn new(key: &[u8; 16], c_rounds: u32, d_rounds: u32) -> Self {
        let mut hasher = std::mem::MaybeUninit::<Context>::uninit();
        // SAFETY: init64 writes every field of the context.
        unsafe {
            hk_siphash_init64(hasher.as_mut_ptr(), key.as_ptr(), c_rounds, d_rounds);
            SipHasher(hasher.assume_init())
        }
    }
}

impl Hasher for SipHasher {
    fn write(&mut self, bytes: &[u8]) {
        // SAFETY: the context is initialised and the slice valid.
        unsafe { hk_siphash_update(&mut self.0, bytes.as_ptr(), bytes.len()) }
    }

    fn finish(&self) -> u64 {
        let mut copy = self.0.clone();
        // SAFETY: a copied context is a context.
        unsafe { hk_siphash_final64(&mut copy) }
    }
}

/// Makes hashers under one key: `HashMap::with_hasher(SipBuild::new(key))`.
#[derive(Clone)]
pub struct SipBuild {
    key: [u8; 16],
    rounds: (u32, u32),
}

impl SipBuild {
    /// SipHash-1-3, as the standard library's maps use.
    pub fn new(key: [u8; 16]) -> Self {
        SipBuild {
            key,
            rounds: (1, 3),
        }
    }

    /// SipHash-2-4, the authors' proposal.
    pub fn new24(key: [u8; 16]) -> Self {
        SipBuild {
            key,
            rounds: (2, 4),
        }
    }
}

impl BuildHasher for SipBuild {
    type Hasher = SipHasher;

    fn build_hasher(&self) -> SipHasher {
        SipHasher::new(&self.key, self.rounds.0, self.rounds.1)
    }
}
