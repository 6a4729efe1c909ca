/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdb;

import java.util.concurrent.atomic.AtomicReference;
import org.rocksdbffm.flink.StateFilter;

/**
 * Has compactions remove state of Flink's that is too old, by the times that Flink writes into it. The class has the name
 * and the members that Flink's state backend calls; the filter is native code, which calls Java for the time and for
 * lists of elements of different sizes.
 */
public class FlinkCompactionFilter extends AbstractCompactionFilter<Slice> {
  /** The kinds of a state; a map has a row for each entry, so it is of values. Their order counts. */
  public enum StateType {
    Disabled,
    Value,
    List
  }

  /** Knows the time in milliseconds; called by several threads. */
  public interface TimeProvider {
    long currentTimestamp();
  }

  /** Reads lists of elements of different sizes, for one compaction. */
  public interface ListElementFilter {
    /** The offset of the first element that is not expired; the length of the list if there is none. */
    int nextUnexpiredOffset(byte[] list, long ttl, long currentTimestamp);
  }

  /** Makes the reader of lists of a compaction; called by several threads. */
  public interface ListElementFilterFactory {
    ListElementFilter createListElementFilter();
  }

  /**
   * The rules of a state.
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

    /** Rules for rows that expire as a whole, by the time at an offset. */
    public static Config createNotList(
        StateType stateType, int timestampOffset, long ttl, long queryTimeAfterNumEntries) {
      return new Config(stateType, timestampOffset, ttl, queryTimeAfterNumEntries, WHOLE, null);
    }

    public static Config createForValue(long ttl, long queryTimeAfterNumEntries) {
      return createNotList(StateType.Value, 0, ttl, queryTimeAfterNumEntries);
    }

    /** Rules for the entries of a map, before whose time is a byte that says whether the value is null. */
    public static Config createForMap(long ttl, long queryTimeAfterNumEntries) {
      return createNotList(StateType.Value, 1, ttl, queryTimeAfterNumEntries);
    }

    /** Rules for lists of elements of one length, each with its delimiter. */
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

  /** The rules of a factory, which are known once Flink has made the state. */
  private static class ConfigHolder {
    private static final Config DISABLED = Config.createNotList(StateType.Disabled, 0, 0, 0);

    private final AtomicReference<Config> config = new AtomicReference<>(DISABLED);
  }

  /** Makes the filter of each compaction. */
  public static class FlinkCompactionFilterFactory extends AbstractCompactionFilterFactory<FlinkCompactionFilter> {
    private final ConfigHolder configHolder = new ConfigHolder();
    private final TimeProvider timeProvider;
    private final Logger logger;

    public FlinkCompactionFilterFactory(TimeProvider timeProvider) {
      this(timeProvider, null);
    }

    /** Takes a logger, which this closes. The filter has nothing to log in it. */
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

    /** Sets the rules, once, for compactions that begin from now on; those before it filter nothing. */
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
