/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The cost of encrypted files, for the standard YCSB client. */
package org.rocksdbffm.jmh.programs.encryption;
