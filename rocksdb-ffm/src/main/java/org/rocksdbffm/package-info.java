/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * RocksDB for Java: an embedded key-value store whose use cannot crash the JVM, and whose values can be read where the
 * engine has them.
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
 * <p><a href="https://github.com/rocksdbffm/rocksdb-ffm/blob/main/docs/how-to/README.md">Recipes</a> show these types at work.
 *
 * <table>
 * <caption>The types by what they are for</caption>
 * <thead><tr><th>To</th><th>there is</th></tr></thead>
 * <tbody>
 * <tr><td>open a database, create families</td>
 * <td>{@link org.rocksdbffm.RocksDb}, {@link org.rocksdbffm.Opening}, {@link org.rocksdbffm.ColumnFamily}; {@link
 * org.rocksdbffm.StoredOptions} for what a folder has</td></tr>
 * <tr><td>say how</td>
 * <td>{@link org.rocksdbffm.DatabaseOptions}, {@link org.rocksdbffm.FamilyOptions} with {@link org.rocksdbffm.TableOptions},
 * {@link org.rocksdbffm.TableFilter}, {@link org.rocksdbffm.Compression}, {@link org.rocksdbffm.PrefixExtractor}, {@link org.rocksdbffm.UniversalCompaction},
 * {@link org.rocksdbffm.FifoCompaction}, {@link org.rocksdbffm.FamilyOptions.StoragePath}</td></tr>
 * <tr><td>read a key, or many</td>
 * <td>{@link org.rocksdbffm.KeyReader}, {@link org.rocksdbffm.MultiGet}, {@link org.rocksdbffm.ReadOptions},
 * {@link org.rocksdbffm.AsyncReader}</td></tr>
 * <tr><td>hold a value without a copy, and hand it on</td>
 * <td>{@link org.rocksdbffm.PinnedValue}, {@link org.rocksdbffm.PinnedValues}, {@link org.rocksdbffm.Pins.Limits}</td></tr>
 * <tr><td>go through rows</td>
 * <td>{@link org.rocksdbffm.Scan} in one direction, {@link org.rocksdbffm.Cursor} in both, {@link org.rocksdbffm.KeyRange}
 * for which</td></tr>
 * <tr><td>write</td>
 * <td>{@link org.rocksdbffm.KeySpace}, {@link org.rocksdbffm.WriteBatch}, {@link org.rocksdbffm.WriteOptions}</td></tr>
 * <tr><td>read what is not written yet</td>
 * <td>{@link org.rocksdbffm.IndexedBatch}</td></tr>
 * <tr><td>change several keys, whatever others do</td>
 * <td>{@link org.rocksdbffm.TransactionDb} or {@link org.rocksdbffm.OptimisticTransactionDb},
 * {@link org.rocksdbffm.Transaction}, {@link org.rocksdbffm.TransactionalDb.RetryPolicy}</td></tr>
 * <tr><td>read a moment of the past</td>
 * <td>{@link org.rocksdbffm.Snapshot}</td></tr>
 * <tr><td>sort by more than bytes</td>
 * <td>{@link org.rocksdbffm.KeyCodec} first, {@link org.rocksdbffm.KeyComparator} where that does not do</td></tr>
 * <tr><td>have keys and values of a type</td>
 * <td>{@link org.rocksdbffm.TypedKeys} with {@link org.rocksdbffm.KeyCodec} and {@link org.rocksdbffm.ValueCodec}; {@link
 * org.rocksdbffm.TypedWriter} for batches</td></tr>
 * <tr><td>merge, filter, let rows expire</td>
 * <td>{@link org.rocksdbffm.MergeOperator}, {@link org.rocksdbffm.MergeFunction}, {@link org.rocksdbffm.CompactionFilter},
 * {@link org.rocksdbffm.Expiry}</td></tr>
 * <tr><td>limit memory, disk and time</td>
 * <td>{@link org.rocksdbffm.BlockCache}, {@link org.rocksdbffm.RowCache}, {@link org.rocksdbffm.MemoryBudget},
 * {@link org.rocksdbffm.RateLimiter}, {@link org.rocksdbffm.SstFileManager}, {@link org.rocksdbffm.EngineThreads}</td></tr>
 * <tr><td>watch it</td>
 * <td>{@link org.rocksdbffm.metrics.Statistics} with {@link org.rocksdbffm.metrics.Ticker} and {@link org.rocksdbffm.metrics.Histogram},
 * {@link org.rocksdbffm.metrics.Profile}, {@link org.rocksdbffm.metrics.MemoryReport}, {@link org.rocksdbffm.metrics.DatabaseHealth},
 * {@link org.rocksdbffm.metrics.DatabaseListener}, {@link org.rocksdbffm.metrics.InfoLog}</td></tr>
 * <tr><td>copy it, and get it back</td>
 * <td>{@link org.rocksdbffm.Backups}, {@link org.rocksdbffm.DatabaseFiles#checkpoint checkpoint},
 * {@link org.rocksdbffm.DatabaseFiles.Hold}, {@link org.rocksdbffm.Repair}</td></tr>
 * <tr><td>look at its files, and bring some</td>
 * <td>{@link org.rocksdbffm.DatabaseFiles}, {@link org.rocksdbffm.FamilyFiles.LiveFile}, {@link org.rocksdbffm.FamilyFiles.Level},
 * {@link org.rocksdbffm.TableWriter}, {@link org.rocksdbffm.FamilyFiles.ExportedFamily}</td></tr>
 * <tr><td>follow what is written</td>
 * <td>{@link org.rocksdbffm.DatabaseFiles.LogReader}, {@link org.rocksdbffm.Follower}</td></tr>
 * <tr><td>know what failed</td>
 * <td>{@link org.rocksdbffm.RocksDbException}</td></tr>
 * </tbody>
 * </table>
 *
 * <h2>Ownership</h2>
 *
 * <p>A method that takes or returns native memory says one of four words. The caller or the library <em>owns</em> it, and
 * closes it; <em>borrows</em> it until the call returns; <em>shares</em> it until all have let go; or <em>transfers</em>
 * it to the other. A database closes everything that was opened on it and is open still, in any order; pinned
 * values alone outlive it.
 *
 * <p>Unless its documentation says otherwise, a method that is given null throws {@link java.lang.NullPointerException},
 * and one of a closed object {@link java.lang.IllegalStateException}, each with the name of what it was. Where the engine's
 * library cannot be loaded, the first use throws an {@link java.lang.UnsatisfiedLinkError} that says why, and what to do.
 */
package org.rocksdbffm;
