/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Writes of single keys, write batches and indexed batches. */
package org.rocksdbffm.compat.write;
