/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * A fuzzer for every public method of {@code org.rocksdb} in the drop-in: {@code ./torture --dropin}. A parent starts
 * JVMs that make random calls, records the calls that crashed a JVM, and minimizes this list.
 */
package org.rocksdbffm.torture.dropin;
