/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FifoCompaction;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinLimitException;
import org.rocksdbffm.Pins;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.TableReader;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.UniversalCompaction;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.reports.BlobReport;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.CacheUse;
import org.rocksdbffm.reports.DatabaseEvent;
import org.rocksdbffm.reports.DatabaseListener;
import org.rocksdbffm.reports.Distribution;
import org.rocksdbffm.reports.FamilyReport;
import org.rocksdbffm.reports.Histogram;
import org.rocksdbffm.reports.InfoLog;
import org.rocksdbffm.reports.MemoryReport;
import org.rocksdbffm.reports.PerfCounter;
import org.rocksdbffm.reports.Profile;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Calls all methods of value types, found by reflection, with valid and invalid arguments. */
public final class ValueOperations {
  static final List<Operation> ALL = List.of(new Operation("value", 60, ValueOperations::value));

  /** The exceptions that reject an invalid argument. Their messages are tested elsewhere. */
  private static final Set<Class<?>> REFUSALS =
      Set.of(IllegalArgumentException.class, ArithmeticException.class, java.io.UncheckedIOException.class);

  static final List<Class<?>> TYPES =
      List.of(
          DatabaseOptions.class,
          FamilyOptions.class,
          TableOptions.class,
          ReadOptions.class,
          ReadOptions.Tier.class,
          ReadOptions.Priority.class,
          WriteOptions.class,
          WriteBatch.Operation.class,
          FlushOptions.class,
          FamilyFiles.IngestOptions.class,
          FamilyFiles.CompactionOptions.class,
          FamilyFiles.SizeOptions.class,
          CompactOptions.class,
          CompactOptions.Bottommost.class,
          FamilyOptions.StoragePath.class,
          KeyRange.class,
          Expiry.class,
          UniversalCompaction.class,
          UniversalCompaction.Stop.class,
          FifoCompaction.class,
          Expiry.Time.class,
          KeyOrder.class,
          ByteSize.class,
          TableFilter.class,
          MergeOperator.class,
          PrefixExtractor.class,
          Pins.Limits.class,
          PinLimitException.class,
          Compression.class,
          CompactionFilter.Decision.class,
          CompactionFilter.Compaction.class,
          CompactionStyle.class,
          Backup.class,
          BlobReport.class,
          CacheReport.class,
          CacheReport.Share.class,
          CacheReport.Role.class,
          CacheReport.Scan.class,
          CacheUse.class,
          FamilyReport.class,
          Backups.Options.class,
          Backups.Progress.class,
          DatabaseFiles.HeldFile.Kind.class,
          FamilyFiles.ExportedFamily.Transfer.class,
          TransactionOptions.class,
          TransactionDb.LockOptions.class,
          TransactionalDb.RetryPolicy.class,
          RocksDbException.class,
          RocksDbException.Code.class,
          RocksDbException.SubCode.class,
          StatisticsLevel.class,
          Ticker.class,
          Histogram.class,
          Distribution.class,
          MemoryReport.class,
          RateLimiter.Options.class,
          RateLimiter.Options.Limits.class,
          Profile.Level.class,
          PerfCounter.class,
          DatabaseEvent.MemtableSealed.class,
          DatabaseEvent.FileIngested.class,
          DatabaseEvent.FlushStarted.class,
          DatabaseEvent.FlushEnded.class,
          DatabaseEvent.CompactionStarted.class,
          DatabaseEvent.CompactionEnded.class,
          DatabaseEvent.BackgroundError.class,
          DatabaseEvent.StallChanged.class,
          DatabaseEvent.Dropped.class,
          DatabaseEvent.WritesResumed.class,
          DatabaseEvent.Work.class,
          RocksDbException.Severity.class,
          TableReader.Kind.class,
          DatabaseEvent.Stall.class);

  private static final List<String> TEXTS =
      List.of("", "block_size", "4096", "write_buffer_size=65536", "a=b;c={d=e}", "{", "}", ";=", "max_open_files",
          "\0");

  private static final long[] NUMBERS = {
    0, 1, -1, 7, 64, 4096, 1 << 20, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private ValueOperations() {}

  private static void value(Attempt attempt) {
    Class<?> type = attempt.oneOf(TYPES);
    Object value = make(type, attempt);
    for (int i = attempt.random.nextInt(6); i >= 0; i--) {
      Method method = attempt.oneOf(Arrays.asList(type.getMethods()));
      if (method.getDeclaringClass() == Object.class || isOfAnother(method, type)) {
        continue;
      }
      Object result = call(method, value, attempt);
      if (type.isInstance(result)) {
        value = result;
      }
    }
    attempt.check(value.equals(value), "a value that is not itself");
    attempt.check(value.toString() != null && value.hashCode() == value.hashCode(), "text and hash of a value");
  }

  /** Whether a method is a bridge or declared by the JDK; such methods are not called. */
  private static boolean isOfAnother(Method method, Class<?> type) {
    return !method.getDeclaringClass().getName().startsWith("org.rocksdbffm.") || method.isBridge();
  }

  private static Object make(Class<?> type, Attempt attempt) {
    if (type.isEnum()) {
      return attempt.oneOf(Arrays.asList(type.getEnumConstants()));
    }
    List<Executable> ways = new ArrayList<>(Arrays.asList(type.getConstructors()));
    Arrays.stream(type.getMethods())
        .filter(method -> Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type)
        .forEach(ways::add);
    while (true) {
      Object made = call(attempt.oneOf(ways), null, attempt);
      if (made != null) {
        return made;
      }
    }
  }

  /** Calls a method or constructor; returns null if an argument was rejected or the method returns nothing. */
  private static Object call(Executable executable, Object target, Attempt attempt) {
    Object[] arguments =
        Arrays.stream(executable.getParameterTypes()).map(type -> argument(type, attempt)).toArray();
    try {
      return executable instanceof Method method
          ? method.invoke(target, arguments)
          : ((Constructor<?>) executable).newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (!REFUSALS.contains(e.getCause().getClass())) {
        throw new WrongAnswer(executable + " of " + Arrays.toString(arguments) + " threw " + e.getCause(), e);
      }
      attempt.world.tally.threw(new IllegalArgumentException("a bad argument of a value"));
      return null;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object argument(Class<?> type, Attempt attempt) {
    long number = NUMBERS[attempt.random.nextInt(NUMBERS.length)];
    if (type == boolean.class) {
      return attempt.oneIn(2);
    } else if (type == int.class) {
      return (int) number;
    } else if (type == long.class) {
      return number;
    } else if (type == double.class) {
      return attempt.oneIn(3) ? Double.NaN : number / 10.0;
    } else if (type == char.class) {
      return (char) number;
    } else if (type == String.class) {
      return attempt.oneOf(TEXTS);
    } else if (type == Object.class) {
      return attempt.oneIn(2) ? attempt.oneOf(TEXTS) : (Object) number;
    } else if (type == byte[].class) {
      return ClientBytes.value(attempt.random);
    } else if (type == MemorySegment.class) {
      return ClientBytes.segment(ClientBytes.value(attempt.random), attempt);
    } else if (type == ByteBuffer.class) {
      return ClientBytes.buffer(ClientBytes.value(attempt.random), attempt);
    } else if (type == ByteOrder.class) {
      return attempt.oneIn(2) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    } else if (type == Duration.class) {
      return Duration.ofMillis(number);
    } else if (type == Instant.class) {
      return Instant.ofEpochMilli(number);
    } else if (type == Path.class) {
      return attempt.world.anySlot(attempt.random).store.folder;
    } else if (type == List.class) {
      return List.of();
    } else if (type == Map.class) {
      return Map.of();
    } else if (type == KeyComparator.class) {
      return (KeyComparator) ByteView::compareTo;
    } else if (type == MergeFunction.class) {
      return (MergeFunction) (key, value, operands) -> null;
    } else if (type == CompactionFilter.Factory.class) {
      return (CompactionFilter.Factory) compaction -> null;
    } else if (type == BlockCache.class) {
      Held<BlockCache> cache = attempt.world.caches.any(attempt.random);
      return cache == null ? BlockCacheHolder.ONE : cache.object;
    } else if (type == RowCache.class) {
      return LimitHolder.ROWS;
    } else if (type == InfoLog.class) {
      return InfoLog.none();
    } else if (type == DatabaseListener.class) {
      return (DatabaseListener) event -> {};
    } else if (type == Optional.class) {
      return Optional.empty();
    } else if (type == MemoryBudget.class) {
      return LimitHolder.MEMORY;
    } else if (type == RateLimiter.class) {
      return LimitHolder.RATE;
    } else if (type == SstFileManager.class) {
      return LimitHolder.FILES;
    } else if (type == EncryptionKeys.class) {
      return (EncryptionKeys) () -> List.of(new EncryptionKeys.Key("key", new byte[32]));
    }
    return make(type, attempt);
  }

  /** A closed cache, for options with which no database is opened. */
  private static final class BlockCacheHolder {
    static final BlockCache ONE = closed();

    private static BlockCache closed() {
      BlockCache cache = BlockCache.lru(ByteSize.kib(1));
      cache.close();
      return cache;
    }
  }

  /** Closed limits, for options with which no database is opened. */
  private static final class LimitHolder {
    static final MemoryBudget MEMORY = closed(MemoryBudget.of(ByteSize.mib(8)));
    static final RateLimiter RATE = closed(RateLimiter.of(ByteSize.mib(1)));
    static final RowCache ROWS = closed(RowCache.lru(ByteSize.kib(1)));
    static final SstFileManager FILES = closed(SstFileManager.create());

    private static <T extends AutoCloseable> T closed(T limit) {
      try {
        limit.close();
        return limit;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
