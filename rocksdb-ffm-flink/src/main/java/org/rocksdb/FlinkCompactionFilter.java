/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdb;

import java.util.concurrent.atomic.AtomicReference;
import org.rocksdbffm.flink.StateFilter;

/**
 * Makes compactions remove expired Flink state, by the timestamps that Flink writes into values. The class has the name
 * and the members that Flink's state backend calls. The filter is native code, which calls Java for the current time,
 * and for lists with elements of different sizes.
 */
public class FlinkCompactionFilter extends AbstractCompactionFilter<Slice> {
  /** The kinds of state. A map has a row for each entry, so its kind is Value. The ordinals are passed to C. */
  public enum StateType {
    Disabled,
    Value,
    List
  }

  /** Returns the time in milliseconds; called by several threads. */
  public interface TimeProvider {
    long currentTimestamp();
  }

  /** Reads lists with elements of different sizes, for one compaction. */
  public interface ListElementFilter {
    /** Returns the offset of the first unexpired element; the length of the list if all are expired. */
    int nextUnexpiredOffset(byte[] list, long ttl, long currentTimestamp);
  }

  /** Creates the list filter of a compaction; called by several threads. */
  public interface ListElementFilterFactory {
    ListElementFilter createListElementFilter();
  }

  /**
   * The rules by which state expires.
   *
   * @see FlinkCompactionFilterFactory#configure
   */
  public static class Config {
    private static final int WHOLE = Integer.MAX_VALUE;
    private static final int UNKNOWN = 0;

    final StateType stateType;
    final int timestampOffset;
    final long ttl;
    final long queryTimeAfterNumEntries;
    final int elementLength;
    final ListElementFilterFactory listElementFilterFactory;

    private Config(
        StateType stateType,
        int timestampOffset,
        long ttl,
        long queryTimeAfterNumEntries,
        int elementLength,
        ListElementFilterFactory listElementFilterFactory) {
      this.stateType = stateType;
      requireNotNegative("timestampOffset", timestampOffset);
      requireNotNegative("ttl", ttl);
      requireNotNegative("queryTimeAfterNumEntries", queryTimeAfterNumEntries);
      this.timestampOffset = timestampOffset;
      this.ttl = ttl;
      this.queryTimeAfterNumEntries = queryTimeAfterNumEntries;
      this.elementLength = elementLength;
      this.listElementFilterFactory = listElementFilterFactory;
    }

    private static void requireNotNegative(String name, long number) {
      if (number < 0) {
        throw new IllegalArgumentException(name + ": " + number + " is negative");
      }
    }

    /** Returns rules for values with one timestamp, at an offset. */
    public static Config createNotList(
        StateType stateType, int timestampOffset, long ttl, long queryTimeAfterNumEntries) {
      return new Config(stateType, timestampOffset, ttl, queryTimeAfterNumEntries, WHOLE, null);
    }

    public static Config createForValue(long ttl, long queryTimeAfterNumEntries) {
      return createNotList(StateType.Value, 0, ttl, queryTimeAfterNumEntries);
    }

    /** Returns rules for map entries: a byte that says whether the value is null precedes the timestamp. */
    public static Config createForMap(long ttl, long queryTimeAfterNumEntries) {
      return createNotList(StateType.Value, 1, ttl, queryTimeAfterNumEntries);
    }

    /** Returns rules for lists with elements of one length, including the delimiter. */
    public static Config createForFixedElementList(long ttl, long queryTimeAfterNumEntries, int fixedElementLength) {
      int length = fixedElementLength > 0 ? fixedElementLength : WHOLE;
      return new Config(StateType.List, 0, ttl, queryTimeAfterNumEntries, length, null);
    }

    public static Config createForList(
        long ttl, long queryTimeAfterNumEntries, ListElementFilterFactory listElementFilterFactory) {
      int length = listElementFilterFactory == null ? WHOLE : UNKNOWN;
      return new Config(StateType.List, 0, ttl, queryTimeAfterNumEntries, length, listElementFilterFactory);
    }
  }

  /** The rules of a factory, which Flink sets after it has created the state. */
  private static class ConfigHolder {
    private static final Config DISABLED = Config.createNotList(StateType.Disabled, 0, 0, 0);

    private final AtomicReference<Config> config = new AtomicReference<>(DISABLED);
  }

  /** Creates the filter of each compaction. */
  public static class FlinkCompactionFilterFactory extends AbstractCompactionFilterFactory<FlinkCompactionFilter> {
    private final ConfigHolder configHolder = new ConfigHolder();
    private final TimeProvider timeProvider;
    private final Logger logger;

    public FlinkCompactionFilterFactory(TimeProvider timeProvider) {
      this(timeProvider, null);
    }

    /** Creates a factory with a logger, which the factory closes. Nothing is logged with it. */
    public FlinkCompactionFilterFactory(TimeProvider timeProvider, Logger logger) {
      this.timeProvider = timeProvider;
      this.logger = logger;
    }

    @Override
    public void close() {
      super.close();
      if (logger != null) {
        logger.close();
      }
    }

    @Override
    public FlinkCompactionFilter createCompactionFilter(Context context) {
      return new FlinkCompactionFilter(configHolder, timeProvider);
    }

    @Override
    public String name() {
      return "FlinkCompactionFilterFactory";
    }

    /** Sets the rules, once, for compactions that start afterwards; earlier compactions remove nothing. */
    public void configure(Config config) {
      if (!configHolder.config.compareAndSet(ConfigHolder.DISABLED, config)) {
        throw new IllegalStateException("Compaction filter is already configured");
      }
    }
  }

  public FlinkCompactionFilter(ConfigHolder configHolder, TimeProvider timeProvider) {
    this(configHolder, timeProvider, null);
  }

  public FlinkCompactionFilter(ConfigHolder configHolder, TimeProvider timeProvider, Logger logger) {
    super(pointer(configHolder.config.get(), timeProvider));
  }

  private static long pointer(Config rules, TimeProvider timeProvider) {
    return new StateFilter(
            rules.stateType.ordinal(),
            rules.timestampOffset,
            rules.ttl,
            rules.queryTimeAfterNumEntries,
            rules.elementLength,
            timeProvider::currentTimestamp,
            rules.listElementFilterFactory)
        .pointer();
  }
}
