/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * RocksDB for Java: an embedded key-value store whose use cannot crash the JVM, and whose values can be read in the
 * engine's memory.
 *
 * <pre>{@code
 * try (RocksDb db = RocksDb.open(Path.of("hello-db"))) {
 *   db.put("a".getBytes(), "1".getBytes());
 *   byte[] copy = db.get("a".getBytes());
 *   try (PinnedValue value = db.getPinned("a".getBytes())) { // no copy
 *     long size = value.segment().byteSize();
 *   }
 *   try (Scan rows = db.scan(KeyRange.prefix("a".getBytes()))) {
 *     while (rows.next()) {
 *       MemorySegment key = rows.key(); // until the next row
 *     }
 *   }
 * }
 * }</pre>
 *
 * <h2>Types by task</h2>
 *
 * <p><a href="https://github.com/rocksdbffm/rocksdb-ffm/blob/main/docs/how-to/README.md">Recipes</a> show how to use
 * these types. Nested types, such as {@link org.rocksdbffm.FamilyFiles.LiveFile}, are named by the types around them.
 *
 * <table>
 * <caption>All types by task</caption>
 * <thead><tr><th>To</th><th>use</th></tr></thead>
 * <tbody>
 * <tr><td>open a database, create families</td><td>{@link org.rocksdbffm.RocksDb}, {@link org.rocksdbffm.Opening},
 * {@link org.rocksdbffm.ColumnFamily}, {@link org.rocksdbffm.KeySpace}; {@link org.rocksdbffm.StoredOptions} for the
 * options in a folder</td></tr>
 * <tr><td>set options</td><td>{@link org.rocksdbffm.DatabaseOptions}, {@link org.rocksdbffm.FamilyOptions},
 * {@link org.rocksdbffm.TableOptions}, {@link org.rocksdbffm.TableFilter}, {@link org.rocksdbffm.Compression},
 * {@link org.rocksdbffm.CompactionStyle}, {@link org.rocksdbffm.UniversalCompaction},
 * {@link org.rocksdbffm.FifoCompaction}, {@link org.rocksdbffm.PrefixExtractor}, {@link org.rocksdbffm.KeyOrder},
 * {@link org.rocksdbffm.ByteSize}</td></tr>
 * <tr><td>read by key</td><td>{@link org.rocksdbffm.KeyReader}, {@link org.rocksdbffm.MultiGet},
 * {@link org.rocksdbffm.ReadOptions}, {@link org.rocksdbffm.AsyncReader}</td></tr>
 * <tr><td>keep a value without a copy, and pass it on</td><td>{@link org.rocksdbffm.PinnedValue},
 * {@link org.rocksdbffm.PinnedValues}, {@link org.rocksdbffm.Pins}</td></tr>
 * <tr><td>give a row named columns</td><td>{@link org.rocksdbffm.EntityReader}, {@link org.rocksdbffm.Entity},
 * {@link org.rocksdbffm.Columns}, {@link org.rocksdbffm.EntityCodec}</td></tr>
 * <tr><td>read rows in order</td><td>{@link org.rocksdbffm.Scan}, {@link org.rocksdbffm.Cursor},
 * {@link org.rocksdbffm.Row}, {@link org.rocksdbffm.KeyRange}</td></tr>
 * <tr><td>write</td><td>{@link org.rocksdbffm.KeyWriter}, {@link org.rocksdbffm.WriteBatch},
 * {@link org.rocksdbffm.WriteOptions}, {@link org.rocksdbffm.AsyncWriter}</td></tr>
 * <tr><td>read writes before they are in the database</td><td>{@link org.rocksdbffm.IndexedBatch},
 * {@link org.rocksdbffm.IndexedBatchKeys}</td></tr>
 * <tr><td>change several keys in isolation</td><td>{@link org.rocksdbffm.TransactionDb},
 * {@link org.rocksdbffm.OptimisticTransactionDb}, {@link org.rocksdbffm.TransactionalDb},
 * {@link org.rocksdbffm.Transaction}, {@link org.rocksdbffm.TransactionKeys},
 * {@link org.rocksdbffm.TransactionOptions}</td></tr>
 * <tr><td>read a point in time</td><td>{@link org.rocksdbffm.Snapshot}</td></tr>
 * <tr><td>sort by more than bytes</td><td>{@link org.rocksdbffm.KeyCodec} first, {@link org.rocksdbffm.KeyComparator}
 * otherwise</td></tr>
 * <tr><td>use typed keys and values</td><td>{@link org.rocksdbffm.TypedKeys}, {@link org.rocksdbffm.TypedReader},
 * {@link org.rocksdbffm.TypedWriter}, {@link org.rocksdbffm.KeyCodec}, {@link org.rocksdbffm.ValueCodec}</td></tr>
 * <tr><td>merge, filter, let rows expire</td><td>{@link org.rocksdbffm.MergeOperator},
 * {@link org.rocksdbffm.MergeFunction}, {@link org.rocksdbffm.CompactionFilter}, {@link org.rocksdbffm.ByteView},
 * {@link org.rocksdbffm.Expiry}</td></tr>
 * <tr><td>limit memory, disk and time</td><td>{@link org.rocksdbffm.BlockCache}, {@link org.rocksdbffm.RowCache},
 * {@link org.rocksdbffm.MemoryBudget}, {@link org.rocksdbffm.RateLimiter}, {@link org.rocksdbffm.SstFileManager},
 * {@link org.rocksdbffm.EngineThreads}</td></tr>
 * <tr><td>encrypt files</td><td>{@link org.rocksdbffm.EncryptionKeys}</td></tr>
 * <tr><td>monitor</td><td>{@link org.rocksdbffm.DatabaseMetrics}, {@link org.rocksdbffm.FamilyMetrics}, and
 * {@link org.rocksdbffm.reports}</td></tr>
 * <tr><td>flush and compact</td><td>{@link org.rocksdbffm.FlushOptions},
 * {@link org.rocksdbffm.CompactOptions}</td></tr>
 * <tr><td>back up and restore</td><td>{@link org.rocksdbffm.Backups}, {@link org.rocksdbffm.Backup},
 * {@link org.rocksdbffm.DatabaseFiles}, {@link org.rocksdbffm.Repair}</td></tr>
 * <tr><td>inspect, ingest and export files</td><td>{@link org.rocksdbffm.FamilyFiles},
 * {@link org.rocksdbffm.TableReader}, {@link org.rocksdbffm.TableWriter}</td></tr>
 * <tr><td>follow writes</td><td>{@link org.rocksdbffm.Follower},
 * {@link org.rocksdbffm.DatabaseFiles.LogReader}</td></tr>
 * <tr><td>handle failures</td><td>{@link org.rocksdbffm.RocksDbException}, {@link org.rocksdbffm.PinLimitException},
 * {@link org.rocksdbffm.TransactionRetryException}</td></tr>
 * </tbody>
 * </table>
 *
 * <h2>Ownership</h2>
 *
 * <p>Methods that take or return native memory use one of four words. The caller or the library <em>owns</em> the
 * memory, and must close it; <em>borrows</em> it until the call returns; <em>shares</em> it until all users have
 * released it; or <em>transfers</em> it to the other side.
 *
 * <p>The next table has everything that must be closed. Its owner closes it on any thread, except a view, and in any
 * order; its database, if named, closes it at the latest. A close refuses new calls immediately, and waits for calls in
 * progress; a second close does nothing. A leaked object is reported, and its memory is freed.
 *
 * <table>
 * <caption>All types that are closed</caption>
 * <thead><tr><th>Type</th><th>closed by</th><th>used by</th><th>outlives the close</th></tr></thead>
 * <tbody>
 * <tr><td>{@link org.rocksdbffm.RocksDb}, {@link org.rocksdbffm.TransactionDb},
 * {@link org.rocksdbffm.OptimisticTransactionDb}</td><td>its owner</td><td>many threads</td><td>pinned values, which
 * keep the folder locked; a prepared transaction, in the folder</td></tr>
 * <tr><td>{@link org.rocksdbffm.ColumnFamily}</td><td>its owner, its database</td><td>many threads</td><td>its rows,
 * pinned values</td></tr>
 * <tr><td>{@link org.rocksdbffm.Snapshot}</td><td>its owner, its database</td><td>many threads</td><td>open scans and
 * cursors, pinned values</td></tr>
 * <tr><td>{@link org.rocksdbffm.Scan}, {@link org.rocksdbffm.Cursor}</td><td>its owner, its database or
 * transaction</td><td>one thread at a time</td><td>copies; views of a large row on another thread, until that thread
 * ends them</td></tr>
 * <tr><td>{@link org.rocksdbffm.Transaction}</td><td>its owner, its database</td><td>one thread at a time</td><td>a
 * prepared transaction, in the database; pinned values</td></tr>
 * <tr><td>{@link org.rocksdbffm.IndexedBatch}</td><td>its owner, its database</td><td>one thread at a
 * time</td><td>pinned values</td></tr>
 * <tr><td>{@link org.rocksdbffm.PinnedValue}, {@link org.rocksdbffm.PinnedValues}</td><td>each of its
 * holders</td><td>many threads</td><td>open views</td></tr>
 * <tr><td>{@link org.rocksdbffm.Entity}</td><td>each of its holders</td><td>one thread at a time</td><td>nothing</td></tr>
 * <tr><td>{@link org.rocksdbffm.PinnedValue.View}, {@link org.rocksdbffm.PinnedValues.View}</td><td>its
 * owner</td><td>one thread</td><td>nothing</td></tr>
 * <tr><td>{@link org.rocksdbffm.Follower}</td><td>its owner</td><td>many threads</td><td>reads in progress</td></tr>
 * <tr><td>{@link org.rocksdbffm.Backups}</td><td>its owner</td><td>many threads</td><td>finished backups, in the
 * folder</td></tr>
 * <tr><td>{@link org.rocksdbffm.DatabaseFiles.Pause}, {@link org.rocksdbffm.DatabaseFiles.Hold}</td><td>its owner, its
 * database</td><td>many threads</td><td>open streams of held files</td></tr>
 * <tr><td>{@link org.rocksdbffm.DatabaseFiles.LogReader}</td><td>its owner, its database</td><td>one thread at a
 * time</td><td>batches that were read</td></tr>
 * <tr><td>{@link org.rocksdbffm.FamilyFiles.ExportedFamily}</td><td>its owner</td><td>many threads</td><td>files that
 * were not moved</td></tr>
 * <tr><td>{@link org.rocksdbffm.TableWriter}</td><td>its owner</td><td>one thread at a time</td><td>a finished
 * file</td></tr>
 * <tr><td>{@link org.rocksdbffm.BlockCache}, {@link org.rocksdbffm.RowCache}, {@link org.rocksdbffm.MemoryBudget},
 * {@link org.rocksdbffm.RateLimiter}, {@link org.rocksdbffm.SstFileManager}</td><td>its owner</td><td>many
 * threads</td><td>the share of each database that was opened with it</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Unless documented otherwise, a method throws {@link java.lang.NullPointerException} for a null argument,
 * {@link java.lang.IllegalStateException} if its object is closed, each with the name of the argument or object, and
 * {@link org.rocksdbffm.RocksDbException} if the engine fails. If the engine's library cannot be loaded, the first use
 * throws an {@link java.lang.UnsatisfiedLinkError} with the reason and a remedy.
 */
package org.rocksdbffm;
