/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdbffm.internal.metrics.CacheText;

/**
 * The kinds of entries that a block cache has, as the engine found them when it last looked through it ({@link CacheScan}): those
 * of all families and databases that share the cache.
 *
 * @param cache the engine's name of the cache, the same for all who share it
 * @param capacity how much the cache may have
 * @param shares the entries by kind, without kinds that have none
 * @param scans how often the engine has looked through the cache
 * @param scanTook how long the last look took
 * @param age how long ago it ended, in whole seconds
 */
public record CacheReport(
    String cache, ByteSize capacity, Map<CacheRole, Share> shares, long scans, Duration scanTook, Duration age) {
  private static final double WHOLE = 100;

  /**
   * The entries of one kind.
   *
   * @param count how many there are
   * @param size what the cache counts for them; to six digits, as the engine tells them
   * @param percent of the cache's capacity
   */
  public record Share(long count, ByteSize size, double percent) {
    /** Refuses null. */
    public Share {
      requireNonNull(size, "size");
    }

    private Share plus(Share other) {
      return new Share(count + other.count, ByteSize.bytes(size.bytes() + other.size.bytes()), percent + other.percent);
    }
  }

  /** Takes a copy of the map. */
  public CacheReport {
    requireNonNull(cache, "cache");
    requireNonNull(capacity, "capacity");
    requireNonNull(scanTook, "scanTook");
    requireNonNull(age, "age");
    Map<CacheRole, Share> copy = new EnumMap<>(CacheRole.class);
    copy.putAll(requireNonNull(shares, "shares"));
    shares = Collections.unmodifiableMap(copy);
  }

  static CacheReport of(CacheText text) {
    Map<CacheRole, Share> shares = new EnumMap<>(CacheRole.class);
    text.entries().forEach(its -> shares.merge(CacheRole.named(its.role()), share(its, text.capacity()), Share::plus));
    return new CacheReport(
        text.id(), ByteSize.bytes(text.capacity()), shares, text.scans(), text.scanTook(), text.age());
  }

  /** A report of each cache, the first that there is of it. */
  static List<CacheReport> eachOnce(List<Optional<CacheText>> ofFamilies) {
    Map<String, CacheReport> byName = new LinkedHashMap<>();
    ofFamilies.stream().flatMap(Optional::stream).forEach(text -> byName.putIfAbsent(text.id(), of(text)));
    return List.copyOf(byName.values());
  }

  private static Share none() {
    return new Share(0, ByteSize.bytes(0), 0);
  }

  private static Share share(CacheText.Entry entry, long capacity) {
    double percent = entry.percent();
    // A share of a cache without room is no number, and then the size is in the engine's rounded words alone.
    boolean told = capacity > 0 && Double.isFinite(percent);
    long size = told ? Math.round(percent / WHOLE * capacity) : entry.roundedSize();
    return new Share(entry.count(), ByteSize.bytes(Math.max(0, size)), told ? percent : 0);
  }

  /**
   * The entries of one kind.
   *
   * @param role the kind
   * @return its share, of zeros if there are no such entries
   */
  public Share share(CacheRole role) {
    return shares.getOrDefault(requireNonNull(role, "role"), none());
  }

  /**
   * The entries of all kinds.
   *
   * @return the sums
   */
  public Share total() {
    return shares.values().stream().reduce(none(), Share::plus);
  }
}
