// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The hashkern authors
//
// Links libhashkern.a from the folder that HASHKERN_LIB names.

fn main() {
    let folder =
        std::env::var("HASHKERN_LIB").expect("set HASHKERN_LIB to the folder of libhashkern.a");
    println!("cargo:rerun-if-env-changed=HASHKERN_LIB");
    println!("cargo:rerun-if-changed={folder}/libhashkern.a");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=static=hashkern");
}
