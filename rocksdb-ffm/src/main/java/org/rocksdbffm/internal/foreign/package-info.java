/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Calls to the engine and native memory: functions that are linked manually because they are called most often, the
 * table of functions for the C stubs, callbacks from the engine to Java, and access to memory by address.
 */
package org.rocksdbffm.internal.foreign;
