/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** A database's files: SST files, the write-ahead log, backups, checkpoints, ingestion, traces, compaction of files. */
package org.rocksdbffm.compat.files;
