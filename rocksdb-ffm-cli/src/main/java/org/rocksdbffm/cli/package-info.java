/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** A command line for databases of RocksDB. */
package org.rocksdbffm.cli;
