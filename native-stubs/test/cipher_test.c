/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/* The cipher of the C++ stubs, in all variants. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rocksdb_ffm_cxx.h"

#define LARGEST 600

/* NIST SP 800-38A, F.5.5 CTR-AES256.Encrypt, the first two blocks. */
static const unsigned char nist_key[] = {
    0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
    0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
static const unsigned char nist_nonce[] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                           0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
static const unsigned char nist_plain[] = {
    0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a,
    0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51};
static const unsigned char nist_cipher[] = {
    0x60, 0x1e, 0xc3, 0x13, 0x77, 0x57, 0x89, 0xa5, 0xb7, 0xa7, 0xf5, 0x04, 0xbb, 0xf3, 0xd2, 0x28,
    0xf4, 0x43, 0xe3, 0xca, 0x4d, 0x62, 0xb5, 0x9a, 0xca, 0x84, 0xe9, 0x90, 0xca, 0xca, 0xf5, 0xc5};

static void vectors_are_right(int variant) {
  unsigned char data[sizeof(nist_plain)];
  memcpy(data, nist_plain, sizeof(data));
  rocksdb_ffm_cxx_aes_ctr(nist_key, nist_nonce, 0, data, sizeof(data), variant);
  CHECK_BYTES(nist_cipher, sizeof(nist_cipher), data, sizeof(data));
}

/* The counter's high half changes within the range, and the range is as long as its allocation. */
static void agrees_with_the_portable_variant_on_each_range(int variant) {
  unsigned char nonce[16];
  memset(nonce, 0xff, sizeof(nonce));
  nonce[0] = 1;
  unsigned char whole[LARGEST] = {0};
  rocksdb_ffm_cxx_aes_ctr(nist_key, nonce, 0, whole, LARGEST, 1);
  for (size_t from = 0; from < 40; from++) {
    for (size_t size = 0; size + from <= LARGEST; size += 7) {
      unsigned char* part = calloc(1, size + 1);
      unsigned char* exact = part + 1; /* not aligned */
      rocksdb_ffm_cxx_aes_ctr(nist_key, nonce, from, exact, size, variant);
      CHECK_BYTES(whole + from, size, exact, size);
      free(part);
    }
  }
}

int main(void) {
  vectors_are_right(0);
  vectors_are_right(1);
  vectors_are_right(2);
  agrees_with_the_portable_variant_on_each_range(0);
  agrees_with_the_portable_variant_on_each_range(2);
  return check_result();
}
