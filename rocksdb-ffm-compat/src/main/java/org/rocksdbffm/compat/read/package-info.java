/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads by key, of one key or of many, and iterators; also those over indexed batches and SST files. */
package org.rocksdbffm.compat.read;
