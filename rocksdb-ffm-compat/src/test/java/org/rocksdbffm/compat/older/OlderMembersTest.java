/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.AttributedElement;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AccessHint;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DBOptionsInterface;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.SstFileMetaData;
import org.rocksdb.Statistics;
import org.rocksdb.StatsCollectorInput;
import org.rocksdb.TickerType;
import org.rocksdbffm.compat.older.OlderTable.Row;

/** Members of older releases do what their rows say, for programs compiled against these releases. */
@SuppressWarnings("deprecation")
class OlderMembersTest {
  @TempDir Path folder;

  private static MethodType type(Row row) {
    return MethodType.fromMethodDescriptorString(row.descriptor(), OlderMembersTest.class.getClassLoader());
  }

  private static Method method(Row row) {
    try {
      for (Method method : row.owner().getDeclaredMethods()) {
        if (method.getName().equals(row.name())
            && MethodType.methodType(method.getReturnType(), method.getParameterTypes()).equals(type(row))) {
          method.setAccessible(true);
          return method;
        }
      }
    } catch (TypeNotPresentException e) {
      throw new AssertionError(row.key(), e);
    }
    throw new AssertionError(row.key());
  }

  private static Object made(Class<?> type) throws ReflectiveOperationException {
    return type.getConstructor().newInstance();
  }

  /** Returns a value that differs from each option's default. */
  private static Object other(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "boolean" -> true;
      case "int" -> Integer.MAX_VALUE;
      case "long" -> Long.MIN_VALUE;
      case "AccessHint" -> AccessHint.WILLNEED;
      default -> null;
    };
  }

  private static Object initial(Row getter) {
    String text = getter.fate().size() > 2 ? getter.fate().get(2).substring(1) : "0";
    return switch (type(getter).returnType().getSimpleName()) {
      case "boolean" -> false;
      case "int" -> Integer.valueOf(text);
      case "long" -> Long.valueOf(text);
      default -> AccessHint.valueOf(text);
    };
  }

  private static void close(Object object) throws Exception {
    if (object instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  @Test
  void whatIsIgnoredIsReadAsItWasSetByEachObjectForItself() throws Exception {
    List<Row> ignored = OlderTable.rows("ignored");
    for (Row setter : ignored) {
      if (setter.descriptor().startsWith("()") || setter.fate().size() < 2) {
        continue;
      }
      Row getter = ignored.stream()
          .filter(row -> row.type().equals(setter.type()) && row.fate().contains(setter.fate().get(1)))
          .filter(row -> row.descriptor().startsWith("()"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no getter for " + setter));
      Object object = made(setter.owner());
      Object another = made(setter.owner());
      Object value = other(type(setter).parameterType(0));
      assertEquals(initial(getter), method(getter).invoke(object), getter.key());
      assertSame(object, method(setter).invoke(object, value), setter.key());
      assertEquals(value, method(getter).invoke(object), getter.key());
      assertEquals(initial(getter), method(getter).invoke(another), getter.key());
      close(another);
      close(object);
      if (object instanceof RocksObject) {
        Exception thrown = assertThrows(InvocationTargetException.class, () -> method(getter).invoke(object));
        assertEquals(setter.owner().getSimpleName() + " is closed", thrown.getCause().getMessage());
      }
    }
  }

  @Test
  void copiesHaveWhatIsIgnoredToo() {
    try (Options options = new Options()) {
      options.setAccessHintOnCompactionStart(AccessHint.NONE).setRandomAccessMaxBufferSize(7);
      options.setSkipCheckingSstFileSizesOnDbOpen(true);
      try (Options copy = new Options(options);
          DBOptions database = new DBOptions(options);
          DBOptions again = new DBOptions(database);
          ColumnFamilyOptions family = new ColumnFamilyOptions();
          Options both = new Options(again, family);
          EnvOptions env = new EnvOptions(again);
          ReadOptions read = new ReadOptions().setManaged(true);
          ReadOptions readCopy = new ReadOptions(read)) {
        assertEquals(AccessHint.NONE, copy.accessHintOnCompactionStart());
        assertEquals(AccessHint.NONE, both.accessHintOnCompactionStart());
        assertTrue(both.skipCheckingSstFileSizesOnDbOpen());
        assertEquals(7, both.randomAccessMaxBufferSize());
        assertEquals(7, env.randomAccessMaxBufferSize());
        assertTrue(readCopy.managed());
      }
    }
  }

  /** The member is in the current classes, but its native code was removed after 9.9.3. */
  @Test
  void anOptionWhoseNativeCodeIsGoneIsIgnoredToo() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        DBOptions database = new DBOptions()) {
      assertTrue(options.failIfOptionsFileError());
      assertTrue(database.failIfOptionsFileError());
      assertSame(database, database.setFailIfOptionsFileError(false));
      assertSame(options, options.setFailIfOptionsFileError(false));
      assertFalse(database.failIfOptionsFileError());
      try (Options copy = new Options(options);
          RocksDB db = RocksDB.open(options, folder.toString())) {
        assertFalse(copy.failIfOptionsFileError());
        assertArrayEquals(null, db.get(new byte[1]));
      }
    }
  }

  @Test
  void aCacheOfCompressedBlocksIsTakenAndNotUsed() throws RocksDBException {
    try (LRUCache cache = new LRUCache(1 << 20);
        Options options = new Options().setCreateIfMissing(true)) {
      options.setTableFormatConfig(new BlockBasedTableConfig().setBlockCacheCompressed(cache));
      try (RocksDB db = RocksDB.open(options, folder.toString());
          ReadOptions managed = new ReadOptions().setManaged(true)) {
        db.put(new byte[1], new byte[1]);
        try (FlushOptions flush = new FlushOptions(); var iterator = db.newIterator(managed)) {
          db.flush(flush);
          iterator.seekToFirst();
          assertTrue(iterator.isValid());
        }
        assertArrayEquals(new byte[1], db.get(new byte[1]));
        assertEquals(0, cache.getUsage());
      }
    }
  }

  @Test
  void theInterfacesOfOptionsHaveTheSameMethods() throws Exception {
    List<Row> declared = OlderTable.rows("declared");
    for (Row row : declared) {
      Class<?>[] classes =
          row.owner() == DBOptionsInterface.class
              ? new Class<?>[] {Options.class, DBOptions.class}
              : new Class<?>[] {Options.class, ColumnFamilyOptions.class};
      for (Class<?> implementing : classes) {
        Object options = made(implementing);
        try (Logger logger = new Heard(InfoLogLevel.INFO_LEVEL)) {
          if (type(row).parameterCount() == 1) {
            Object value = type(row).parameterType(0) == Logger.class ? logger : other(type(row).parameterType(0));
            assertSame(options, method(row).invoke(options, value), row.key());
            if (value != logger) {
              String getter = Character.toLowerCase(row.name().charAt(3)) + row.name().substring(4);
              assertEquals(value, row.owner().getMethod(getter).invoke(options), row.key());
            }
          }
        }
        close(options);
      }
      InvocationHandler itsOwn = InvocationHandler::invokeDefault;
      Object stranger =
          Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {row.owner()}, itsOwn);
      Object[] arguments =
          type(row).parameterCount() == 0 ? new Object[0] : new Object[] {other(type(row).parameterType(0))};
      Throwable thrown = assertThrows(Exception.class, () -> method(row).invoke(stranger, arguments)).getCause();
      assertEquals(UnsupportedOperationException.class, thrown.getClass());
      assertEquals("this implementation of " + row.type() + " has no " + row.name(), thrown.getMessage());
    }
  }

  /** The setters of the interfaces can be chained, as older programs do. */
  private static <T extends DBOptionsInterface<T>> T tuned(T options) {
    return options.setRandomAccessMaxBufferSize(3).setSkipCheckingSstFileSizesOnDbOpen(true);
  }

  @Test
  void settersOfTheInterfacesAreChained() {
    try (Options options = new Options(); DBOptions database = new DBOptions()) {
      assertEquals(3, tuned(options).randomAccessMaxBufferSize());
      assertEquals(3, tuned(database).randomAccessMaxBufferSize());
    }
  }

  @Test
  void theConstantsAreWholeOnesBehindUpstreams() throws Exception {
    Map<String, AttributedElement> upstream =
        PublicMembers.of(Path.of(System.getProperty("rocksdbjni.jar"))).members();
    for (Class<? extends Enum<?>> type : List.<Class<? extends Enum<?>>>of(TickerType.class, HistogramType.class)) {
      Enum<?>[] values = type.getEnumConstants();
      long published = Stream.of(values)
          .filter(its -> upstream.containsKey(type.getName() + "." + its + " " + type.descriptorString()))
          .count();
      List<String> older =
          OlderTable.rows("constant").stream().filter(row -> row.owner() == type).map(Row::name).toList();
      assertEquals(
          older, Stream.of(values).skip(published).map(Enum::name).toList(), "they come last, in the table's order");
      for (int i = 0; i < values.length; i++) {
        assertEquals(i, values[i].ordinal());
      }
      for (String name : older) {
        assertEquals(name, type.getField(name).get(null).toString());
      }
    }
    Map<TickerType, Integer> map = new EnumMap<>(TickerType.class);
    map.put(TickerType.valueOf("NO_ITERATORS"), 1);
    assertEquals(Map.of(TickerType.NO_ITERATORS, 1), map);
    assertEquals(EnumSet.of(HistogramType.BYTES_COMPRESSED), EnumSet.of(HistogramType.valueOf("BYTES_COMPRESSED")));
    assertSame(TickerType.TICKER_ENUM_MAX, TickerType.getTickerType(TickerType.NO_ITERATORS.getValue()));
    assertSame(
        HistogramType.HISTOGRAM_ENUM_MAX, HistogramType.getHistogramType(HistogramType.BYTES_COMPRESSED.getValue()));
  }

  @Test
  void nothingIsCountedForAnOlderConstantBesideWhatItStandsFor() throws Exception {
    try (Statistics statistics = new Statistics(EnumSet.of(HistogramType.BYTES_COMPRESSED));
        Options options = new Options().setCreateIfMissing(true).setStatistics(statistics);
        FlushOptions flush = new FlushOptions()) {
      options.setCompressionType(CompressionType.LZ4_COMPRESSION);
      try (RocksDB db = RocksDB.open(options, folder.toString())) {
        byte[] noise = new byte[100_000];
        new Random(1).nextBytes(noise);
        db.put(new byte[1], noise);
        db.flush(flush);
      }
      for (Row row : OlderTable.rows("constant")) {
        boolean standsForAnother = !row.fate().get(1).endsWith("_ENUM_MAX");
        if (row.owner() == TickerType.class) {
          TickerType ticker = TickerType.valueOf(row.name());
          TickerType other = TickerType.valueOf(row.fate().get(1));
          assertEquals(standsForAnother, statistics.getTickerCount(ticker) > 0, row.key());
          assertEquals(statistics.getTickerCount(other), statistics.getTickerCount(ticker), row.key());
          assertEquals(standsForAnother, statistics.getAndResetTickerCount(ticker) > 0, row.key());
        } else {
          HistogramType histogram = HistogramType.valueOf(row.name());
          assertEquals(0, statistics.getHistogramData(histogram).getCount(), row.key());
          assertTrue(statistics.getHistogramString(histogram).startsWith("Count: 0 "), row.key());
        }
      }
      assertEquals(0, statistics.getTickerCount(TickerType.TICKER_ENUM_MAX));
    }
  }

  @Test
  void everyStatisticCanBeCollectedByItsEnum() throws Exception {
    List<Enum<?>> seen = new CopyOnWriteArrayList<>();
    try (Statistics statistics = new Statistics()) {
      for (TickerType ticker : TickerType.values()) {
        assertEquals(0, statistics.getTickerCount(ticker), ticker.name());
        seen.add(ticker);
      }
      for (HistogramType histogram : HistogramType.values()) {
        assertEquals(0, statistics.getHistogramData(histogram).getCount(), histogram.name());
        seen.add(histogram);
      }
      assertEquals(new HashSet<>(seen).size(), seen.size());
      assertSame(statistics, new StatsCollectorInput(statistics, null).getStatistics());
    }
  }

  /** A logger that stores its messages. */
  private static final class Heard extends Logger {
    private final List<String> messages = new CopyOnWriteArrayList<>();

    Heard(InfoLogLevel level) {
      super(level);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {
      messages.add(message);
    }
  }

  @Test
  void aLoggerIsSetByTheMethodThatTakesNoOthers() throws Exception {
    for (Row row : OlderTable.rows("calls").stream().filter(its -> its.name().equals("setLogger")).toList()) {
      Path database = folder.resolve(row.owner().getSimpleName());
      try (Heard logger = new Heard(InfoLogLevel.INFO_LEVEL)) {
        Object options = made(row.owner());
        assertSame(options, method(row).invoke(options, logger));
        try (Options all =
                options instanceof Options its
                    ? new Options(its)
                    : new Options((DBOptions) options, new ColumnFamilyOptions());
            RocksDB db = RocksDB.open(all.setCreateIfMissing(true), database.toString())) {
          db.put(new byte[1], new byte[1]);
        }
        assertFalse(logger.messages.isEmpty(), row.key());
        close(options);
      }
    }
  }

  private static final class OldMetaData extends SstFileMetaData {
    OldMetaData() {
      super("f", "p", 1, 2, 3, new byte[4], new byte[5], 6, true, 7, 8);
    }
  }

  @Test
  void theMetaDataOfAFileIsMadeWithoutAChecksum() {
    SstFileMetaData data = new OldMetaData();
    assertEquals(
        List.of("f", "p", 1L, 2L, 3L, 4, 5, 6L, true, 7L, 8L),
        List.of(
            data.fileName(), data.path(), data.size(), data.smallestSeqno(), data.largestSeqno(),
            data.smallestKey().length, data.largestKey().length, data.numReadsSampled(), data.beingCompacted(),
            data.numEntries(), data.numDeletions()));
    assertSame(null, data.fileChecksum());
  }

  /** Returns the value of an option in the newest OPTIONS file. */
  private static long written(Path database, String option) throws Exception {
    try (Stream<Path> files = Files.list(database)) {
      Path file = files.filter(its -> its.getFileName().toString().startsWith("OPTIONS-")).sorted().toList().getLast();
      return Files.readAllLines(file).stream()
          .filter(line -> line.strip().startsWith(option + "="))
          .mapToLong(line -> Long.parseLong(line.strip().substring(option.length() + 1)))
          .findFirst()
          .orElseThrow();
    }
  }

  private long maintained(Options options) throws Exception {
    Path database = Files.createTempDirectory(folder, "db");
    try (RocksDB db = RocksDB.open(options.setCreateIfMissing(true), database.toString())) {
      db.put(new byte[1], new byte[1]);
    }
    return written(database, "max_write_buffer_size_to_maintain");
  }

  @Test
  void buffersAreMaintainedByTheirSizeWheneverThatIsSet() throws Exception {
    long mebibyte = 1 << 20;
    try (Options options = new Options().setWriteBufferSize(mebibyte);
        DBOptions database = new DBOptions();
        ColumnFamilyOptions family = new ColumnFamilyOptions().setWriteBufferSize(mebibyte)) {
      assertEquals(0, options.maxWriteBufferNumberToMaintain());
      assertEquals(0, family.maxWriteBufferNumberToMaintain());
      assertSame(options, options.setMaxWriteBufferNumberToMaintain(3));
      assertSame(family, family.setMaxWriteBufferNumberToMaintain(5));
      assertEquals(3 * mebibyte, maintained(options));
      assertEquals(6 * mebibyte, maintained(options.setWriteBufferSize(2 * mebibyte)));
      try (Options copy = new Options(options);
          ColumnFamilyOptions familyCopy = new ColumnFamilyOptions(family);
          Options both = new Options(database, familyCopy.setWriteBufferSize(3 * mebibyte))) {
        assertEquals(3, copy.maxWriteBufferNumberToMaintain());
        assertEquals(6 * mebibyte, maintained(copy));
        assertEquals(5, both.maxWriteBufferNumberToMaintain());
        assertEquals(15 * mebibyte, maintained(both));
      }
      assertEquals(1L << 40, maintained(options.setMaxWriteBufferNumberToMaintain(Integer.MAX_VALUE)));
      options.setMaxWriteBufferNumber(4);
      assertEquals(8 * mebibyte, maintained(options.setMaxWriteBufferNumberToMaintain(-1)));
      assertEquals(0, maintained(options.setMaxWriteBufferNumberToMaintain(0)));
    }
  }

  @Test
  void theDeletionOfFilesIsEnabledOnceOrByForce() throws RocksDBException {
    String enabled = "rocksdb.is-file-deletions-enabled";
    try (RocksDB db = RocksDB.open(folder.toString())) {
      for (int i = 0; i < 3; i++) {
        db.disableFileDeletions();
      }
      db.enableFileDeletions(false);
      assertEquals(0, db.getLongProperty(enabled));
      db.enableFileDeletions(true);
      assertEquals(1, db.getLongProperty(enabled));
      db.enableFileDeletions(true);
      db.enableFileDeletions(false);
      assertEquals(1, db.getLongProperty(enabled));
    }
  }

  @Test
  void optionsAreReadWithAnEnvironment() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true).setMaxOpenFiles(77).setNumLevels(5)) {
      RocksDB.open(options, folder.toString()).close();
    }
    String database = folder.toString();
    String file = folder.resolve(OptionsUtil.getLatestOptionsFileName(database, Env.getDefault())).toString();
    Env env = Env.getDefault();
    Path unknown = folder.resolve("unknown");
    String ofLater = Files.readString(Path.of(file)).replaceFirst("rocksdb_version=.*", "rocksdb_version=99.0.0");
    Files.writeString(unknown, ofLater.replace("max_open_files=77", "max_open_filez=77"));
    read((options, families) -> OptionsUtil.loadLatestOptions(database, env, options, families));
    read((options, families) -> OptionsUtil.loadLatestOptions(database, env, options, families, true));
    read((options, families) -> OptionsUtil.loadOptionsFromFile(file, env, options, families));
    read((options, families) -> OptionsUtil.loadOptionsFromFile(file, env, options, families, false));
    try (DBOptions options = new DBOptions()) {
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      String strange = unknown.toString();
      OptionsUtil.loadOptionsFromFile(strange, env, options, families, true);
      assertThrows(
          RocksDBException.class, () -> OptionsUtil.loadOptionsFromFile(strange, env, options, families, false));
    }
  }

  private interface Reading {
    void into(DBOptions options, List<ColumnFamilyDescriptor> families) throws RocksDBException;
  }

  private static void read(Reading reading) throws RocksDBException {
    try (DBOptions options = new DBOptions()) {
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      reading.into(options, families);
      assertEquals(77, options.maxOpenFiles());
      assertEquals("default", new String(families.getFirst().getName(), UTF_8));
      assertEquals(5, families.getFirst().getOptions().numLevels());
    }
  }

  @Test
  void whatIsRefusedSaysWhichMethodOfWhichReleaseAndTheWayOut() throws Exception {
    try (RocksDB db = RocksDB.open(folder.toString()); Heard logger = new Heard(InfoLogLevel.INFO_LEVEL)) {
      for (Row row : OlderTable.rows("refused")) {
        Object target = row.owner() == RocksDB.class ? db : logger;
        Object argument = row.descriptor().startsWith("(J)") ? (Object) 7L : "000001.sst";
        Throwable thrown =
            assertThrows(InvocationTargetException.class, () -> method(row).invoke(target, argument)).getCause();
        assertEquals(UnsupportedOperationException.class, thrown.getClass());
        assertEquals(
            "%s.%s(%s) of release %s is not there any more: %s".formatted(
                row.type(),
                row.name(),
                argument instanceof Long ? "long" : "String",
                row.release(),
                String.join(" ", row.fate().subList(1, row.fate().size()))),
            thrown.getMessage());
      }
    }
  }

  @Test
  void eachNumberOfAnAccessHintIsItsOwn() {
    for (AccessHint hint : AccessHint.values()) {
      assertSame(hint, AccessHint.getAccessHint(hint.getValue()));
    }
    assertEquals(3, AccessHint.WILLNEED.getValue());
    Exception thrown = assertThrows(IllegalArgumentException.class, () -> AccessHint.getAccessHint((byte) 4));
    assertEquals("there is no AccessHint 4", thrown.getMessage());
  }

  /** Rows of kinds without a generic test have individual tests. */
  @Test
  void everyRowHasATest() {
    Set<String> tested = Set.of(
        "<init>", "setLogger", "setMaxWriteBufferNumberToMaintain", "maxWriteBufferNumberToMaintain",
        "enableFileDeletions", "loadLatestOptions", "loadOptionsFromFile");
    Set<String> rows = new HashSet<>();
    OlderTable.rows("calls").forEach(row -> rows.add(row.name()));
    OlderTable.rows("glue").forEach(row -> rows.add(row.name()));
    assertEquals(tested, rows);
  }

  /** The constructors are only for programs compiled with them. */
  @Test
  void whatIsProtectedStaysSo() throws Exception {
    Constructor<?>[] constructors = SstFileMetaData.class.getDeclaredConstructors();
    assertEquals(2, constructors.length);
    for (Constructor<?> constructor : constructors) {
      assertEquals(java.lang.reflect.Modifier.PROTECTED, constructor.getModifiers());
    }
  }
}
