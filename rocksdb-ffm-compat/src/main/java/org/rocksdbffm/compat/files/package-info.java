/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The files of a database: SST files, WAL, backups, checkpoints, ingestion, traces, and compaction of chosen files. */
package org.rocksdbffm.compat.files;
