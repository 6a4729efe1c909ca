/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Calls to the engine and memory outside of the heap: functions that are linked by hand because they are called most, the
 * table of functions that the stubs get, pointers from the engine back to Java, and reads and writes by address.
 */
package org.rocksdbffm.internal.foreign;
