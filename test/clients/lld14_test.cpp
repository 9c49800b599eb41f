// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The hashkern authors
//
// lld14_test.cpp - llvm::SHA1 of LLVM 14 with hashkern-lld14.so preloaded
//
// Hashes random messages, at once and in random pieces, through LLVM's own header
// and library, and compares with hk_sha1. Pieces go through functions of both
// sides in turn: ours takes data in, LLVM's pads. The report is in TAP.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include <dlfcn.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/SHA1.h>

#include "hashkern.h"

static int count, failures;

static void result(const char *name, bool good)
{
    std::printf("%s %d - lld/%s\n", good ? "ok" : "not ok", ++count, name);
    failures += !good;
}

// Does the symbol bind to the preloaded object?
static bool is_ours(const char *symbol)
{
    Dl_info info;
    void *function = dlvsym(RTLD_DEFAULT, symbol, "LLVM_14");

    return function && dladdr(function, &info) &&
           std::strstr(info.dli_fname, "hashkern-lld14.so");
}

int main()
{
    std::mt19937 random(1);
    std::vector<uint8_t> data(70000);
    bool whole = true, pieces = true, texts = true, twice = true;

    std::generate(data.begin(), data.end(), std::ref(random));
    for (int i = 0; i < 2000; i++) {
        size_t size = random() % (i % 2 ? 300 : data.size()), done = 0;
        llvm::SHA1 hash;
        uint8_t want[20];

        hk_sha1(data.data(), size, want);
        auto digest =
            llvm::SHA1::hash(llvm::ArrayRef<uint8_t>(data.data(), size));
        whole = whole && !std::memcmp(digest.data(), want, 20);
        while (done < size) {
            size_t now = random() % (i % 3 ? 200 : size) + 1;

            now = std::min(now, size - done);
            if (random() % 2)
                hash.update(llvm::ArrayRef<uint8_t>(&data[done], now));
            else
                hash.update(llvm::StringRef((const char *)&data[done], now));
            done += now;
            if (random() % 8 == 0) {
                uint8_t so_far[20];

                hk_sha1(data.data(), done, so_far);
                twice = twice && !std::memcmp(hash.result().data(), so_far, 20);
            }
        }
        pieces = pieces && !std::memcmp(hash.final().data(), want, 20);
        hash.init();
        hash.update(llvm::StringRef((const char *)data.data(), size));
        texts = texts && !std::memcmp(hash.final().data(), want, 20);
    }
    result("bound-hash", is_ours("_ZN4llvm4SHA14hashENS_8ArrayRefIhEE"));
    result("bound-update", is_ours("_ZN4llvm4SHA16updateENS_8ArrayRefIhEE") &&
                               is_ours("_ZN4llvm4SHA16updateENS_9StringRefE"));
    result("whole", whole);
    result("pieces", pieces);
    result("result-and-on", twice);
    result("used-again", texts);
    std::printf("1..%d\n", count);
    return failures != 0;
}
