/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The table of the engine's C++ functions that the C++ stubs call. The stubs reach what the C API lacks, are opened at
 * the first use, and are missing on some platforms: then {@link #address} throws.
 */
public final class CxxEngine {
  private static final int ABI = 9;

  /** In the order of {@code rocksdb_ffm_cxx_engine}. */
  static final List<String> FUNCTIONS =
      List.of(
          "_ZNK7rocksdb6Status8ToStringB5cxx11Ev",
          "_ZN7rocksdb3Env7DefaultEv",
          "_ZNK7rocksdb3Env13GetFileSystemEv",
          "_ZN7rocksdb15NewEncryptedEnvEPNS_3EnvERKSt10shared_ptrINS_18EncryptionProviderEE",
          "_ZN7rocksdb12NewEnvLoggerERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPNS_3EnvEPSt10shared_ptrINS_6LoggerEE",
          "_ZN7rocksdb19PinnableWideColumnsD1Ev",
          "_ZN7rocksdb9CleanableD1Ev",
          "_ZN7rocksdb19WriteBatchWithIndex23GetEntityFromBatchAndDBEPNS_2DBERKNS_11ReadOptionsEPNS_18ColumnFamilyHandleERKNS_5SliceEPNS_19PinnableWideColumnsEPNS_12ReadCallbackE",
          "_ZN7rocksdb13SstFileReaderC1ERKNS_7OptionsE",
          "_ZN7rocksdb13SstFileReaderD1Ev",
          "_ZN7rocksdb13SstFileReader4OpenERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
          "_ZN7rocksdb13SstFileReader16NewTableIteratorEv",
          "rocksdb_readoptions_set_iterate_upper_bound",
          "_ZN7rocksdb19WriteBatchWithIndex22MultiGetFromBatchAndDBEPNS_2DBERKNS_11ReadOptionsEPNS_18ColumnFamilyHandleEmPKNS_5SliceEPNS_13PinnableSliceEPNS_6StatusEb",
          "_ZN7rocksdb19WriteBatchWithIndex28MultiGetEntityFromBatchAndDBEPNS_2DBERKNS_11ReadOptionsEPNS_18ColumnFamilyHandleEmPKNS_5SliceEPNS_19PinnableWideColumnsEPNS_6StatusEbPNS_12ReadCallbackE",
          "rocksdb_property_int");

  private CxxEngine() {}

  /** Returns the address of a struct {@code rocksdb_ffm_cxx_engine}. */
  public static long address() {
    NativeLibrary.find("rocksdb_ffm_cxx_abi_" + ABI); // outside of the class initializer, which is never retried
    return Table.FUNCTIONS_OF_ENGINE.address();
  }

  /** Links a function of the C++ stubs; {@code function} is its name without the prefix of all. */
  static MethodHandle link(String function) {
    return Downcalls.link("rocksdb_ffm_cxx_" + function, Downcalls.WORDS);
  }

  /** Freed with the class loader. */
  private static final class Table {
    static final MemorySegment FUNCTIONS_OF_ENGINE = Arena.ofAuto().allocate(ValueLayout.ADDRESS, FUNCTIONS.size());

    static {
      for (int i = 0; i < FUNCTIONS.size(); i++) {
        FUNCTIONS_OF_ENGINE.setAtIndex(ValueLayout.ADDRESS, i, NativeLibrary.find(FUNCTIONS.get(i)));
      }
    }
  }
}
