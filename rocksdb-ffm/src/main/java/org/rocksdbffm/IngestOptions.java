/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.internal.settings.IngestSetting;

/** Options of an {@linkplain FamilyFiles#ingest ingestion} of table files. Immutable: each method returns options of its own. */
public final class IngestOptions {
  private static final IngestOptions DEFAULTS = new IngestOptions(Map.of(IngestSetting.VERIFY_CHECKSUMS, true));

  private final Map<IngestSetting, Boolean> settings;

  private IngestOptions(Map<IngestSetting, Boolean> settings) {
    this.settings = settings;
  }

  /**
   * Files are copied, their checksums verified, and their rows are newer than all that the database has.
   *
   * @return the options
   */
  public static IngestOptions defaults() {
    return DEFAULTS;
  }

  private IngestOptions set(IngestSetting setting, boolean value) {
    Map<IngestSetting, Boolean> changed = new EnumMap<>(IngestSetting.class);
    changed.putAll(settings);
    changed.put(setting, value);
    return new IngestOptions(changed);
  }

  Map<IngestSetting, Boolean> settings() {
    return settings;
  }

  /**
   * Whether files are moved, and not copied: each becomes the database's by a link, and loses its own name when all of them
   * are ingested. One that is on another disk is copied.
   *
   * @param move whether to
   * @return the changed options
   */
  public IngestOptions move(boolean move) {
    return set(IngestSetting.MOVE, move);
  }

  /**
   * Whether the rows are older than all that the database has, so that a key that is there keeps its value. For that a
   * column family has been opened with {@code cf_allow_ingest_behind} since it was created: otherwise rows that were
   * deleted may come to light again. The files must not overlap.
   *
   * @param behind whether they are
   * @return the changed options
   */
  public IngestOptions behind(boolean behind) {
    return set(IngestSetting.BEHIND, behind);
  }

  /**
   * Whether to fail, with the code TRY_AGAIN, where a file cannot go to the last level because the database has keys
   * within its range. Files of the last level need no compaction any more.
   *
   * @param fail whether to
   * @return the changed options
   */
  public IngestOptions lastLevelOnly(boolean fail) {
    return set(IngestSetting.LAST_LEVEL_ONLY, fail);
  }

  /**
   * Whether snapshots that are there do not see the rows. Without it they may.
   *
   * @param keep false to let them see the rows
   * @return the changed options
   */
  public IngestOptions snapshotConsistency(boolean keep) {
    return set(IngestSetting.SNAPSHOT_CONSISTENCY, keep);
  }

  /**
   * Whether the rows may get a number of the database's, as they must where it has keys within the range of a file, where
   * files overlap, and where snapshots are to be consistent. Without it such an ingestion fails.
   *
   * @param allow false to fail
   * @return the changed options
   */
  public IngestOptions globalSequenceNumbers(boolean allow) {
    return set(IngestSetting.GLOBAL_SEQUENCE_NUMBERS, allow);
  }

  /**
   * Whether memtables that have keys within the range of a file are flushed first, while writes wait. Without it such an
   * ingestion fails.
   *
   * @param allow false to fail
   * @return the changed options
   */
  public IngestOptions blockingFlush(boolean allow) {
    return set(IngestSetting.BLOCKING_FLUSH, allow);
  }

  /**
   * Whether each block of a file is read, and held against its checksum, before the file is ingested. Damage would
   * otherwise be found when the rows are read.
   *
   * @param verify false to leave it
   * @return the changed options
   */
  public IngestOptions verifyChecksums(boolean verify) {
    return set(IngestSetting.VERIFY_CHECKSUMS, verify);
  }

  /**
   * Whether blocks that are read meanwhile stay in the block cache.
   *
   * @param fill false to keep the cache as it is
   * @return the changed options
   */
  public IngestOptions fillCache(boolean fill) {
    return set(IngestSetting.FILL_CACHE, fill);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IngestOptions that && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  @Override
  public String toString() {
    return "IngestOptions" + settings;
  }
}
