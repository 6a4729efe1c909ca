/* Licensed under the Apache License, Version 2.0; see LICENSE. */

#include "aes.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace rocksdb_ffm {
namespace {

constexpr uint8_t doubled(uint8_t value) {
  return static_cast<uint8_t>((value << 1) ^ ((value >> 7) * 0x1b));
}

constexpr uint8_t rotated(uint8_t value, int bits) {
  return static_cast<uint8_t>((value << bits) | (value >> (8 - bits)));
}

/* The S-box, and for each byte its column after MixColumns, little-endian: 2s, s, s, 3s. */
struct Tables {
  uint8_t sbox[256];
  uint32_t columns[256];
};

constexpr Tables tables() {
  Tables made{};
  uint8_t power = 1;   /* runs through all values except 0, by multiplication with 3 */
  uint8_t inverse = 1; /* the inverse of power, by division by 3 */
  do {
    power = static_cast<uint8_t>(power ^ doubled(power));
    inverse = static_cast<uint8_t>(inverse ^ (inverse << 1));
    inverse = static_cast<uint8_t>(inverse ^ (inverse << 2));
    inverse = static_cast<uint8_t>(inverse ^ (inverse << 4));
    inverse = static_cast<uint8_t>(inverse ^ ((inverse >> 7) * 0x09));
    made.sbox[power] = static_cast<uint8_t>(inverse ^ rotated(inverse, 1) ^ rotated(inverse, 2) ^ rotated(inverse, 3) ^
                                            rotated(inverse, 4) ^ 0x63);
  } while (power != 1);
  made.sbox[0] = 0x63;
  for (int i = 0; i < 256; i++) {
    uint32_t s = made.sbox[i];
    uint32_t twice = doubled(made.sbox[i]);
    made.columns[i] = twice | (s << 8) | (s << 16) | ((twice ^ s) << 24);
  }
  return made;
}

constexpr Tables kTables = tables();

uint32_t load(const uint8_t* from) {
  return static_cast<uint32_t>(from[0]) | static_cast<uint32_t>(from[1]) << 8 | static_cast<uint32_t>(from[2]) << 16 |
         static_cast<uint32_t>(from[3]) << 24;
}

void store(uint32_t word, uint8_t* to) {
  for (int i = 0; i < 4; i++) {
    to[i] = static_cast<uint8_t>(word >> (8 * i));
  }
}

uint32_t column(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  auto turned = [](uint32_t word, int bits) { return (word << bits) | (word >> (32 - bits)); };
  return kTables.columns[a & 0xff] ^ turned(kTables.columns[(b >> 8) & 0xff], 8) ^
         turned(kTables.columns[(c >> 16) & 0xff], 16) ^ turned(kTables.columns[d >> 24], 24);
}

uint32_t last_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return static_cast<uint32_t>(kTables.sbox[a & 0xff]) | static_cast<uint32_t>(kTables.sbox[(b >> 8) & 0xff]) << 8 |
         static_cast<uint32_t>(kTables.sbox[(c >> 16) & 0xff]) << 16 | static_cast<uint32_t>(kTables.sbox[d >> 24]) << 24;
}

void encrypt_block(const AesKey& key, uint8_t* block) {
  uint32_t state[4];
  for (int i = 0; i < 4; i++) {
    state[i] = load(block + 4 * i) ^ load(key.rounds[0] + 4 * i);
  }
  for (int round = 1; round < kAesRounds; round++) {
    uint32_t next[4];
    for (int i = 0; i < 4; i++) {
      next[i] = column(state[i], state[(i + 1) & 3], state[(i + 2) & 3], state[(i + 3) & 3]) ^
                load(key.rounds[round] + 4 * i);
    }
    memcpy(state, next, sizeof state);
  }
  for (int i = 0; i < 4; i++) {
    store(last_column(state[i], state[(i + 1) & 3], state[(i + 2) & 3], state[(i + 3) & 3]) ^
              load(key.rounds[kAesRounds] + 4 * i),
          block + 4 * i);
  }
}

uint64_t load_big(const uint8_t* from) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) {
    value = value << 8 | from[i];
  }
  return value;
}

void store_big(uint64_t value, uint8_t* to) {
  for (int i = 7; i >= 0; i--, value >>= 8) {
    to[i] = static_cast<uint8_t>(value);
  }
}

Counter counter_at(const uint8_t* nonce, uint64_t offset) {
  Counter counter{load_big(nonce), load_big(nonce + 8)};
  counter.add(offset / kAesBlock);
  return counter;
}

/* XORs whole blocks. */
using Blocks = void (*)(const AesKey& key, Counter counter, uint8_t* data, size_t count);

void portable_blocks(const AesKey& key, Counter counter, uint8_t* data, size_t count) {
  for (; count > 0; count--, data += kAesBlock, counter.add(1)) {
    uint8_t block[kAesBlock];
    store_big(counter.high, block);
    store_big(counter.low, block + 8);
    encrypt_block(key, block);
    for (size_t i = 0; i < kAesBlock; i++) {
      data[i] ^= block[i];
    }
  }
}

#if defined(__x86_64__)

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_AES) != 0;
}

/* N blocks together, because an AES instruction takes several cycles, but one starts in each. */
template <size_t N>
__attribute__((target("aes"))) inline void xor_blocks(const __m128i* rounds, Counter* counter, __m128i* data) {
  __m128i blocks[N];
#pragma GCC unroll 8
  for (size_t i = 0; i < N; i++) {
    auto high = static_cast<long long>(__builtin_bswap64(counter->high));
    auto low = static_cast<long long>(__builtin_bswap64(counter->low));
    blocks[i] = _mm_xor_si128(_mm_set_epi64x(low, high), rounds[0]);
    counter->add(1);
  }
#pragma GCC unroll 14
  for (int round = 1; round < kAesRounds; round++) {
#pragma GCC unroll 8
    for (size_t i = 0; i < N; i++) {
      blocks[i] = _mm_aesenc_si128(blocks[i], rounds[round]);
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < N; i++) {
    blocks[i] = _mm_aesenclast_si128(blocks[i], rounds[kAesRounds]);
    _mm_storeu_si128(data + i, _mm_xor_si128(_mm_loadu_si128(data + i), blocks[i]));
  }
}

__attribute__((target("aes"))) void processor_blocks(const AesKey& key, Counter counter, uint8_t* data, size_t count) {
  const __m128i* rounds = reinterpret_cast<const __m128i*>(key.rounds);
  for (; count >= 8; count -= 8, data += 8 * kAesBlock) {
    xor_blocks<8>(rounds, &counter, reinterpret_cast<__m128i*>(data));
  }
  for (; count > 0; count--, data += kAesBlock) {
    xor_blocks<1>(rounds, &counter, reinterpret_cast<__m128i*>(data));
  }
}

/* Whether an AES instruction takes two blocks, and the operating system keeps the wide registers. */
bool has_wide_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_AES) == 0 || (c & bit_OSXSAVE) == 0) {
    return false;
  }
  unsigned kept = 0, unused = 0;
  __asm__("xgetbv" : "=a"(kept), "=d"(unused) : "c"(0));
  constexpr unsigned registers = 6; /* XMM and YMM */
  if ((kept & registers) != registers || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) {
    return false;
  }
  constexpr unsigned avx2 = 1u << 5, vaes = 1u << 9;
  return (b & avx2) != 0 && (c & vaes) != 0;
}

/* 16 blocks together, two in each register. */
__attribute__((target("avx2,vaes"))) inline void xor_wide(const __m256i* rounds, Counter* counter, __m256i* data) {
  constexpr int kRegisters = 8;
  __m256i blocks[kRegisters];
#pragma GCC unroll 8
  for (int i = 0; i < kRegisters; i++) {
    Counter next = *counter;
    next.add(1);
    __m256i big = _mm256_set_epi64x(static_cast<long long>(__builtin_bswap64(next.low)),
                                    static_cast<long long>(__builtin_bswap64(next.high)),
                                    static_cast<long long>(__builtin_bswap64(counter->low)),
                                    static_cast<long long>(__builtin_bswap64(counter->high)));
    blocks[i] = _mm256_xor_si256(big, rounds[0]);
    counter->add(2);
  }
#pragma GCC unroll 14
  for (int round = 1; round < kAesRounds; round++) {
#pragma GCC unroll 8
    for (int i = 0; i < kRegisters; i++) {
      blocks[i] = _mm256_aesenc_epi128(blocks[i], rounds[round]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRegisters; i++) {
    blocks[i] = _mm256_aesenclast_epi128(blocks[i], rounds[kAesRounds]);
    _mm256_storeu_si256(data + i, _mm256_xor_si256(_mm256_loadu_si256(data + i), blocks[i]));
  }
}

__attribute__((target("avx2,vaes"))) void wide_blocks(const AesKey& key, Counter counter, uint8_t* data, size_t count) {
  constexpr size_t kTogether = 16;
  if (count >= kTogether) {
    __m256i rounds[kAesRounds + 1];
    for (int round = 0; round <= kAesRounds; round++) {
      rounds[round] = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(key.rounds[round])));
    }
    for (; count >= kTogether; count -= kTogether, data += kTogether * kAesBlock) {
      xor_wide(rounds, &counter, reinterpret_cast<__m256i*>(data));
    }
    wipe(rounds, sizeof rounds);
  }
  processor_blocks(key, counter, data, count);
}

#elif defined(__aarch64__)

#if defined(__clang__)
#define ROCKSDB_FFM_AES_TARGET __attribute__((target("aes")))
#else
#define ROCKSDB_FFM_AES_TARGET __attribute__((target("+crypto")))
#endif

bool has_instructions() {
  constexpr unsigned long aes = 1 << 3; /* HWCAP_AES */
  return (getauxval(AT_HWCAP) & aes) != 0;
}

template <size_t N>
ROCKSDB_FFM_AES_TARGET inline void xor_blocks(const AesKey& key, Counter* counter, uint8_t* data) {
  uint8x16_t blocks[N];
  for (size_t i = 0; i < N; i++) {
    uint8_t block[kAesBlock];
    store_big(counter->high, block);
    store_big(counter->low, block + 8);
    blocks[i] = vld1q_u8(block);
    counter->add(1);
  }
  for (int round = 0; round < kAesRounds - 1; round++) {
    uint8x16_t of_round = vld1q_u8(key.rounds[round]);
    for (size_t i = 0; i < N; i++) {
      blocks[i] = vaesmcq_u8(vaeseq_u8(blocks[i], of_round));
    }
  }
  for (size_t i = 0; i < N; i++) {
    blocks[i] = vaeseq_u8(blocks[i], vld1q_u8(key.rounds[kAesRounds - 1]));
    blocks[i] = veorq_u8(blocks[i], vld1q_u8(key.rounds[kAesRounds]));
    vst1q_u8(data + 16 * i, veorq_u8(vld1q_u8(data + 16 * i), blocks[i]));
  }
}

ROCKSDB_FFM_AES_TARGET void processor_blocks(const AesKey& key, Counter counter, uint8_t* data, size_t count) {
  for (; count >= 8; count -= 8, data += 8 * kAesBlock) {
    xor_blocks<8>(key, &counter, data);
  }
  for (; count > 0; count--, data += kAesBlock) {
    xor_blocks<1>(key, &counter, data);
  }
}

#else

bool has_instructions() { return false; }

void processor_blocks(const AesKey& key, Counter counter, uint8_t* data, size_t count) {
  portable_blocks(key, counter, data, count);
}

#endif

void xor_range(Blocks blocks, const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size) {
  Counter counter = counter_at(nonce, offset);
  size_t before = offset % kAesBlock;
  if (before != 0 && size != 0) { /* the rest of a block */
    uint8_t block[kAesBlock] = {0};
    blocks(key, counter, block, 1);
    size_t part = size < kAesBlock - before ? size : kAesBlock - before;
    for (size_t i = 0; i < part; i++) {
      data[i] ^= block[before + i];
    }
    wipe(block, sizeof block);
    counter.add(1);
    data += part;
    size -= part;
  }
  size_t whole = size / kAesBlock;
  blocks(key, counter, data, whole);
  size_t after = size % kAesBlock;
  if (after != 0) {
    counter.add(whole);
    uint8_t block[kAesBlock] = {0};
    blocks(key, counter, block, 1);
    for (size_t i = 0; i < after; i++) {
      data[whole * kAesBlock + i] ^= block[i];
    }
    wipe(block, sizeof block);
  }
}

const Blocks kNarrow = has_instructions() ? processor_blocks : portable_blocks;

#if defined(__x86_64__)
const Blocks kFastest = has_wide_instructions() ? wide_blocks : kNarrow;
#else
const Blocks kFastest = kNarrow;
#endif

}  // namespace

void expand(const uint8_t* key, AesKey* expanded) {
  uint8_t* bytes = expanded->rounds[0];
  memcpy(bytes, key, kAesKey);
  uint8_t constant = 1;
  for (size_t at = kAesKey; at < sizeof expanded->rounds; at += 4) {
    uint8_t word[4];
    memcpy(word, bytes + at - 4, 4);
    if (at % kAesKey == 0) {
      uint8_t first = word[0];
      word[0] = static_cast<uint8_t>(kTables.sbox[word[1]] ^ constant);
      word[1] = kTables.sbox[word[2]];
      word[2] = kTables.sbox[word[3]];
      word[3] = kTables.sbox[first];
      constant = doubled(constant);
    } else if (at % kAesKey == kAesBlock) {
      for (uint8_t& byte : word) {
        byte = kTables.sbox[byte];
      }
    }
    for (size_t i = 0; i < 4; i++) {
      bytes[at + i] = bytes[at - kAesKey + i] ^ word[i];
    }
    wipe(word, sizeof word);
  }
}

void aes_ctr(const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size) {
  xor_range(kFastest, key, nonce, offset, data, size);
}

void aes_ctr_narrow(const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size) {
  xor_range(kNarrow, key, nonce, offset, data, size);
}

void aes_ctr_portable(const AesKey& key, const uint8_t* nonce, uint64_t offset, uint8_t* data, size_t size) {
  xor_range(portable_blocks, key, nonce, offset, data, size);
}

void wipe(void* memory, size_t size) {
  memset(memory, 0, size);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

}  // namespace rocksdb_ffm
