/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Writes of single keys, and the entries of write batches and of indexed batches. */
package org.rocksdbffm.compat.write;
