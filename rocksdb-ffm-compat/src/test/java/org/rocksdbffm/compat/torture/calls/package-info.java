/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Calls of the members of {@code org.rocksdb}: which there are, with what arguments, and a run of many. */
package org.rocksdbffm.compat.torture.calls;
