/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Leaked objects of {@code org.rocksdb}. */
package org.rocksdbffm.compat.forgotten;
