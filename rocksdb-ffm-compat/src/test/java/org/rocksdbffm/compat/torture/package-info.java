/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * A fuzzer for every public method of {@code org.rocksdb} in the drop-in: {@code ./torture --dropin}. A parent starts
 * JVMs that make random calls, writes down what ended one of them, and makes that small.
 */
package org.rocksdbffm.compat.torture;
