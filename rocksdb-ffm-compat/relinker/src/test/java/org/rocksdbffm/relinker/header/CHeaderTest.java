/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker.header;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CHeaderTest {
  @Test
  void aFunctionIsALineWithItsTypes() {
    assertEquals(
        List.of("rocksdb_open rocksdb_t* rocksdb_options_t* char* char**"),
        CHeader.functions(
            "extern ROCKSDB_LIBRARY_API rocksdb_t* rocksdb_open(\n const rocksdb_options_t* options, const char* name,"
                + " char** errptr);"));
  }

  @Test
  void whatIsPassedAlikeIsSpelledAlike() {
    assertEquals(
        List.of("rocksdb_f uchar uint32_t char** size_t* int uint64_t"),
        CHeader.functions(
            "extern ROCKSDB_LIBRARY_API unsigned char rocksdb_f(unsigned int, const char* const* names,"
                + " const size_t sizes[], int n, uint64_t /* and more */ big);"));
  }

  @Test
  void aFunctionThatIsPassedIsAPointer() {
    assertEquals(
        List.of("rocksdb_g void void* function* function*"),
        CHeader.functions(
            "extern ROCKSDB_LIBRARY_API void rocksdb_g(void* state, void (*destructor)(void*),\n"
                + " int (*compare)(void*, const char* a, size_t alen));"));
  }

  @Test
  void aFunctionWithoutParametersHasNone() {
    assertEquals(
        List.of("rocksdb_a rocksdb_t*", "rocksdb_b void"),
        CHeader.functions(
            "extern ROCKSDB_LIBRARY_API void rocksdb_b(void);"
                + " // gone: extern ROCKSDB_LIBRARY_API void rocksdb_c();\n"
                + "extern ROCKSDB_LIBRARY_API rocksdb_t* rocksdb_a();"));
  }
}
