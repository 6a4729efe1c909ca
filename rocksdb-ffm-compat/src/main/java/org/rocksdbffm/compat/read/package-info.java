/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads of one key or many, and the steps of iterators, including iterators over indexed batches and SST files. */
package org.rocksdbffm.compat.read;
