/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* AES-256 in counter mode (NIST SP 800-38A), with the processor's AES instructions if it has them. */

#ifndef ROCKSDB_FFM_AES_H
#define ROCKSDB_FFM_AES_H

#include <stddef.h>
#include <stdint.h>

namespace rocksdb_ffm {

constexpr int kAesRounds = 14;
constexpr size_t kAesBlock = 16;
constexpr size_t kAesKey = 32;

/* An expanded key: one block for each round, and one before the first. */
struct AesKey {
  alignas(16) uint8_t rounds[kAesRounds + 1][kAesBlock];
};

/* A counter block, as a big-endian number of 128 bits. */
struct Counter {
  uint64_t high;
  uint64_t low;

  void add(uint64_t blocks) {
    low += blocks;
    high += low < blocks ? 1 : 0;
  }
};

void expand(const uint8_t* key, AesKey* expanded);

/* XORs data with the key stream. The byte at `offset` of a file belongs to block nonce + offset / 16. */
void aes_ctr(const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size);

/* The same with AES instructions of one block only, and without AES instructions. */
void aes_ctr_narrow(const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size);
void aes_ctr_portable(const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size);

/* Overwrites memory in a way that the compiler does not remove. */
void wipe(void* memory, size_t size);

}  // namespace rocksdb_ffm

#endif
