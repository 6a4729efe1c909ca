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
 * <h2>Where to look</h2>
 *
 * <p><a href="https://github.com/rocksdbffm/rocksdb-ffm/blob/main/docs/how-to/README.md">Recipes</a> show how to use
 * these types.
 *
 * <table>
 * <caption>Types by task</caption>
 * <thead><tr><th>To</th><th>use</th></tr></thead>
 * <tbody>
 * <tr><td>open a database, create families</td>
 * <td>{@link org.rocksdbffm.RocksDb}, {@link org.rocksdbffm.Opening}, {@link org.rocksdbffm.ColumnFamily}; {@link
 * org.rocksdbffm.StoredOptions} for the options in a folder</td></tr>
 * <tr><td>set options</td>
 * <td>{@link org.rocksdbffm.DatabaseOptions}, {@link org.rocksdbffm.FamilyOptions} with {@link org.rocksdbffm.TableOptions},
 * {@link org.rocksdbffm.TableFilter}, {@link org.rocksdbffm.Compression}, {@link org.rocksdbffm.PrefixExtractor}, {@link org.rocksdbffm.UniversalCompaction},
 * {@link org.rocksdbffm.FifoCompaction}, {@link org.rocksdbffm.FamilyOptions.StoragePath}</td></tr>
 * <tr><td>read by key</td>
 * <td>{@link org.rocksdbffm.KeyReader}, {@link org.rocksdbffm.MultiGet}, {@link org.rocksdbffm.ReadOptions},
 * {@link org.rocksdbffm.AsyncReader}</td></tr>
 * <tr><td>keep a value without a copy, and pass it on</td>
 * <td>{@link org.rocksdbffm.PinnedValue}, {@link org.rocksdbffm.PinnedValues}, {@link org.rocksdbffm.Pins.Limits}</td></tr>
 * <tr><td>read rows in order</td>
 * <td>{@link org.rocksdbffm.Scan} in one direction, {@link org.rocksdbffm.Cursor} in both, {@link org.rocksdbffm.KeyRange}
 * for the keys</td></tr>
 * <tr><td>write</td>
 * <td>{@link org.rocksdbffm.KeySpace}, {@link org.rocksdbffm.WriteBatch}, {@link org.rocksdbffm.WriteOptions}</td></tr>
 * <tr><td>read writes before they are in the database</td>
 * <td>{@link org.rocksdbffm.IndexedBatch}</td></tr>
 * <tr><td>change several keys in isolation</td>
 * <td>{@link org.rocksdbffm.TransactionDb} or {@link org.rocksdbffm.OptimisticTransactionDb},
 * {@link org.rocksdbffm.Transaction}, {@link org.rocksdbffm.TransactionalDb.RetryPolicy}</td></tr>
 * <tr><td>read a point in time</td>
 * <td>{@link org.rocksdbffm.Snapshot}</td></tr>
 * <tr><td>sort by more than bytes</td>
 * <td>{@link org.rocksdbffm.KeyCodec} first, {@link org.rocksdbffm.KeyComparator} otherwise</td></tr>
 * <tr><td>use typed keys and values</td>
 * <td>{@link org.rocksdbffm.TypedKeys} with {@link org.rocksdbffm.KeyCodec} and {@link org.rocksdbffm.ValueCodec}; {@link
 * org.rocksdbffm.TypedWriter} for batches</td></tr>
 * <tr><td>merge, filter, let rows expire</td>
 * <td>{@link org.rocksdbffm.MergeOperator}, {@link org.rocksdbffm.MergeFunction}, {@link org.rocksdbffm.CompactionFilter},
 * {@link org.rocksdbffm.Expiry}</td></tr>
 * <tr><td>limit memory, disk and time</td>
 * <td>{@link org.rocksdbffm.BlockCache}, {@link org.rocksdbffm.RowCache}, {@link org.rocksdbffm.MemoryBudget},
 * {@link org.rocksdbffm.RateLimiter}, {@link org.rocksdbffm.SstFileManager}, {@link org.rocksdbffm.EngineThreads}</td></tr>
 * <tr><td>monitor</td>
 * <td>{@link org.rocksdbffm.metrics.Statistics} with {@link org.rocksdbffm.metrics.Ticker} and {@link org.rocksdbffm.metrics.Histogram},
 * {@link org.rocksdbffm.metrics.Profile}, {@link org.rocksdbffm.metrics.MemoryReport}, {@link org.rocksdbffm.metrics.DatabaseHealth},
 * {@link org.rocksdbffm.metrics.DatabaseListener}, {@link org.rocksdbffm.metrics.InfoLog}</td></tr>
 * <tr><td>back up and restore</td>
 * <td>{@link org.rocksdbffm.Backups}, {@link org.rocksdbffm.DatabaseFiles#checkpoint checkpoint},
 * {@link org.rocksdbffm.DatabaseFiles.Hold}, {@link org.rocksdbffm.Repair}</td></tr>
 * <tr><td>inspect, ingest and export files</td>
 * <td>{@link org.rocksdbffm.DatabaseFiles}, {@link org.rocksdbffm.FamilyFiles.LiveFile}, {@link org.rocksdbffm.FamilyFiles.Level},
 * {@link org.rocksdbffm.TableWriter}, {@link org.rocksdbffm.FamilyFiles.ExportedFamily}</td></tr>
 * <tr><td>follow writes</td>
 * <td>{@link org.rocksdbffm.DatabaseFiles.LogReader}, {@link org.rocksdbffm.Follower}</td></tr>
 * <tr><td>handle failures</td>
 * <td>{@link org.rocksdbffm.RocksDbException}</td></tr>
 * </tbody>
 * </table>
 *
 * <h2>Ownership</h2>
 *
 * <p>Methods that take or return native memory use one of four words. The caller or the library <em>owns</em> the
 * memory, and must close it; <em>borrows</em> it until the call returns; <em>shares</em> it until all users have
 * released it; or <em>transfers</em> it to the other side. A database closes all objects that were opened on it and are
 * still open, in any order; only pinned values outlive it.
 *
 * <p>Unless documented otherwise, a method throws {@link java.lang.NullPointerException} for a null argument,
 * {@link java.lang.IllegalStateException} if its object is closed, each with the name of the argument or object, and
 * {@link org.rocksdbffm.RocksDbException} if the engine fails. If the engine's library cannot be loaded, the first use
 * throws an {@link java.lang.UnsatisfiedLinkError} with the reason and a remedy.
 */
package org.rocksdbffm;
