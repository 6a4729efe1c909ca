/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channels;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Columns;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.Entity;
import org.rocksdbffm.EntityCodec;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FifoCompaction;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.Pins;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.TableReader;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.TypedKeys;
import org.rocksdbffm.UniversalCompaction;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.reports.BlobReport;
import org.rocksdbffm.reports.CacheReport;
import org.rocksdbffm.reports.DatabaseEvent;
import org.rocksdbffm.reports.DatabaseListener;
import org.rocksdbffm.reports.Histogram;
import org.rocksdbffm.reports.InfoLog;
import org.rocksdbffm.reports.PerfCounter;
import org.rocksdbffm.reports.Profile;
import org.rocksdbffm.reports.Statistics;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.NullChannels;

/** The public types and their methods, found by reflection, so that tests include each new one. */
public final class PublicApi {
  /** The types that users implement, and the types that are only passed to them. */
  public static final List<Class<?>> CALLBACKS =
      List.of(
          WriteBatch.Visitor.class,
          TableReader.Visitor.class,
          KeyComparator.class,
          MergeFunction.class,
          CompactionFilter.class,
          CompactionFilter.Factory.class,
          ByteView.class,
          TransactionalDb.Body.class,
          TransactionalDb.Task.class,
          KeyCodec.Of3.class,
          KeyCodec.Of4.class,
          KeyCodec.Components.class,
          Backups.Progress.Listener.class,
          DatabaseListener.class,
          InfoLog.class);

  private PublicApi() {}

  /** A record class for codecs. */
  record Sample(String text) {}

  /** Returns all public types of the exported packages, including nested types. */
  public static List<Class<?>> types() {
    URI file = URI.create(RocksDb.class.getResource("RocksDb.class").toString());
    if (!file.getScheme().equals("jar")) {
      return typesIn(Path.of(file).getParent());
    }
    try (FileSystem jar = FileSystems.newFileSystem(file, Map.of())) {
      return typesIn(jar.provider().getPath(file).getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Class<?>> typesIn(Path folder) {
    try (Stream<Path> files = Stream.concat(Files.list(folder), Files.list(folder.resolve("reports")))) {
      return files
          .map(file -> folder.relativize(file).toString().replace('/', '.'))
          .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
          .<Class<?>>map(file -> load("org.rocksdbffm." + file.replace(".class", "")))
          .filter(PublicApi::isPublic)
          .sorted(Comparator.comparing(Class::getName))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
  }

  /** Returns the instance methods that a user can call on a type, without the methods of {@code Object}. */
  public static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> isWritten(method, type))
        .filter(method -> !isOfObject(method))
        .sorted(Comparator.comparing(PublicApi::signature))
        .toList();
  }

  /** Returns whether a method is not a bridge, or is a bridge that makes a method of a non-public base class public. */
  public static boolean isWritten(Method method, Class<?> type) {
    return !method.isBridge() || ofHidden(type.getSuperclass()).anyMatch(inherited -> overrides(method, inherited));
  }

  private static Stream<Method> ofHidden(Class<?> base) {
    return Stream.<Class<?>>iterate(base, type -> type != null, Class::getSuperclass)
        .filter(type -> !Modifier.isPublic(type.getModifiers()))
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> !method.isBridge());
  }

  private static boolean overrides(Method method, Method inherited) {
    return inherited.getReturnType() == method.getReturnType() && signature(inherited).equals(signature(method));
  }

  private static boolean isOfObject(Method method) {
    return Arrays.stream(Object.class.getMethods())
        .anyMatch(
            inherited ->
                inherited.getName().equals(method.getName())
                    && Arrays.equals(inherited.getParameterTypes(), method.getParameterTypes()));
  }

  public static String signature(Executable executable) {
    List<String> parameters = Arrays.stream(executable.getParameterTypes()).map(Class::getSimpleName).toList();
    String name = executable instanceof Method ? executable.getName() : executable.getDeclaringClass().getSimpleName();
    return name + "(" + String.join(",", parameters) + ")";
  }

  /** Returns valid arguments of a method, for an open database. */
  static Object[] arguments(Executable executable, RocksDb db, ColumnFamily family, Path folder) {
    Map<Class<?>, Object> valid = new LinkedHashMap<>();
    valid.put(byte[].class, "key".getBytes());
    valid.put(MemorySegment.class, MemorySegment.ofArray(new byte[4096]));
    valid.put(ByteBuffer.class, ByteBuffer.allocate(4096));
    valid.put(Arena.class, Arena.ofAuto());
    valid.put(WritableByteChannel.class, Channels.newChannel(OutputStream.nullOutputStream()));
    valid.put(GatheringByteChannel.class, new NullChannels.Gathering());
    valid.put(AsynchronousByteChannel.class, new NullChannels.Asynchronous());
    valid.put(AsynchronousFileChannel.class, NullChannels.FILE);
    valid.put(Function.class, (Function<Object, Object>) value -> "seen");
    valid.put(BiFunction.class, (BiFunction<Object, Object, Object>) (a, b) -> a);
    valid.put(KeyCodec.class, KeyCodec.int64());
    valid.put(ValueCodec.class, KeyCodec.bytes());
    valid.put(KeyCodec.Part.class, KeyCodec.int64().of(value -> 1L));
    valid.put(EntityCodec.class, EntityCodec.of(MethodHandles.lookup(), Sample.class));
    valid.put(MethodHandles.Lookup.class, MethodHandles.lookup());
    valid.put(Class.class, Sample.class);
    valid.put(TypedKeys.class, db.typed(KeyCodec.int64(), KeyCodec.bytes()));
    valid.put(BiConsumer.class, (BiConsumer<Object, Object>) (a, b) -> {});
    valid.put(KeyCodec.Of3.class, (KeyCodec.Of3<Object, Object, Object, Object>) (a, b, c) -> a);
    valid.put(KeyCodec.Of4.class, (KeyCodec.Of4<Object, Object, Object, Object, Object>) (a, b, c, d) -> a);
    valid.put(Consumer.class, (Consumer<Object>) PublicApi::take);
    valid.put(Executor.class, (Executor) Runnable::run);
    valid.put(KeyRange.class, KeyRange.between("a".getBytes(), "b".getBytes()));
    valid.put(UniversalCompaction.class, UniversalCompaction.defaults());
    valid.put(UniversalCompaction.Stop.class, UniversalCompaction.Stop.SIMILAR_SIZE);
    valid.put(FifoCompaction.class, FifoCompaction.defaults());
    valid.put(Expiry.class, Expiry.after(Duration.ofDays(1)));
    valid.put(Expiry.Time.class, Expiry.Time.SECONDS);
    valid.put(ByteOrder.class, ByteOrder.LITTLE_ENDIAN);
    valid.put(ReadOptions.class, ReadOptions.defaults());
    valid.put(WriteOptions.class, WriteOptions.defaults());
    valid.put(FlushOptions.class, FlushOptions.defaults());
    valid.put(CompactOptions.class, CompactOptions.defaults());
    valid.put(CompactOptions.Bottommost.class, CompactOptions.Bottommost.SKIP);
    valid.put(DatabaseOptions.class, DatabaseOptions.defaults());
    valid.put(FamilyOptions.class, FamilyOptions.defaults());
    valid.put(TableOptions.class, TableOptions.defaults());
    valid.put(Map.class, Map.of());
    valid.put(
        List.class,
        switch (executable.getName()) {
          case "ingest" -> List.of(folder);
          case "compact", "FamilyFiles.Level" -> List.of(ForeignFile.IT);
          case "Repair" -> List.of(folder);
          case "merged" -> List.of(db);
          case "scan" -> List.of(KeyRange.between("a".getBytes(), "b".getBytes()));
          case "tuple" -> List.of(KeyCodec.int64().of(value -> 1L));
          case "paths" -> List.of(new FamilyOptions.StoragePath(folder, ByteSize.gib(1)));
          default -> List.of("key".getBytes());
        });
    boolean isOfProperties = executable.getName().toLowerCase(java.util.Locale.ROOT).endsWith("property");
    valid.put(String.class, isOfProperties ? "rocksdb.estimate-num-keys" : "block_size=4096");
    valid.put(Object.class, 1);
    valid.put(Path.class, folder);
    valid.put(Duration.class, Duration.ofSeconds(1));
    valid.put(Pins.Limits.class, Pins.Limits.none());
    valid.put(ByteSize.class, isOfLimits(executable) ? ByteSize.mib(8) : ByteSize.kib(4));
    valid.put(Columns.class, new Columns());
    valid.put(String[].class, new String[] {"a"});
    valid.put(WriteBatch.class, new WriteBatch());
    valid.put(WriteBatch.Visitor.class, (WriteBatch.Visitor) (_, _, _, _) -> {});
    valid.put(TableReader.Visitor.class, (TableReader.Visitor) (_, _, _, _) -> {});
    valid.put(TableReader.Kind.class, TableReader.Kind.VALUE);
    valid.put(KeyComparator.class, (KeyComparator) ByteView::compareTo);
    valid.put(MergeFunction.class, (MergeFunction) (key, value, operands) -> null);
    valid.put(CompactionFilter.Factory.class, (CompactionFilter.Factory) compaction -> null);
    valid.put(ColumnFamily.class, family);
    valid.put(RocksDb.class, db);
    valid.put(FamilyFiles.IngestOptions.class, FamilyFiles.IngestOptions.defaults());
    valid.put(Backups.Options.class, Backups.Options.defaults());
    valid.put(Backups.Progress.class, new Backups.Progress(ByteSize.kib(1), ByteSize.kib(2), Duration.ofSeconds(1)));
    valid.put(Backups.Progress.Listener.class, (Backups.Progress.Listener) progress -> {});
    valid.put(FamilyFiles.CompactionOptions.class, FamilyFiles.CompactionOptions.defaults());
    valid.put(FamilyFiles.SizeOptions.class, FamilyFiles.SizeOptions.defaults());
    valid.put(TransactionOptions.class, TransactionOptions.defaults());
    valid.put(TransactionDb.LockOptions.class, TransactionDb.LockOptions.defaults());
    valid.put(TransactionalDb.RetryPolicy.class, TransactionalDb.RetryPolicy.never());
    valid.put(TransactionalDb.Body.class, (TransactionalDb.Body<Object, RuntimeException>) transaction -> null);
    valid.put(TransactionalDb.Task.class, (TransactionalDb.Task<RuntimeException>) transaction -> {});
    valid.put(CacheReport.Scan.class, CacheReport.Scan.CHEAP);
    valid.put(CacheReport.Role.class, CacheReport.Role.MISC);
    valid.put(CacheReport.Share.class, new CacheReport.Share(0, ByteSize.bytes(0), 0));
    valid.put(BlobReport.class, new BlobReport(0, ByteSize.bytes(0), ByteSize.bytes(0), ByteSize.bytes(0)));
    valid.put(Profile.Level.class, Profile.Level.COUNTS);
    valid.put(PerfCounter.class, PerfCounter.values()[0]);
    valid.put(DatabaseListener.class, (DatabaseListener) event -> {});
    valid.put(InfoLog.class, InfoLog.none());
    valid.put(DatabaseEvent.class, new DatabaseEvent.Dropped(1));
    valid.put(DatabaseEvent.Work.class, DatabaseEvent.Work.FLUSH);
    valid.put(RocksDbException.Severity.class, RocksDbException.Severity.HARD);
    valid.put(DatabaseEvent.Stall.class, DatabaseEvent.Stall.NONE);
    valid.put(
        RocksDbException.class,
        new RocksDbException(
            RocksDbException.Code.BUSY, RocksDbException.SubCode.NONE, RocksDbException.Severity.NONE, ""));
    valid.put(Runnable.class, (Runnable) () -> {});
    valid.put(Optional.class, Optional.empty());
    valid.put(Instant.class, Instant.EPOCH);
    if (executable.getName().equals("importFamily")) {
      valid.put(FamilyFiles.ExportedFamily.class, ClosedExport.IT);
    }
    valid.put(FamilyFiles.ExportedFamily.Transfer.class, FamilyFiles.ExportedFamily.Transfer.COPY);
    valid.put(Record.class, new Sample("a"));
    valid.put(Entity.class, null); // null, like the following
    valid.put(BlockCache.class, null); // null, like the following
    valid.put(RowCache.class, null);
    valid.put(MemoryBudget.class, null);
    valid.put(RateLimiter.class, null);
    valid.put(SstFileManager.class, null);
    valid.put(EncryptionKeys.class, EncryptionKeys.ofFile(folder.resolve("keys")));
    valid.put(KeyStore.class, keyStore());
    valid.put(char[].class, new char[0]);
    valid.put(ScopedValue.CallableOp.class, (ScopedValue.CallableOp<Object, RuntimeException>) () -> null);
    valid.put(RateLimiter.Options.class, RateLimiter.Options.of(ByteSize.mib(2)));
    valid.put(RateLimiter.Options.Limits.class, RateLimiter.Options.Limits.WRITES);
    valid.put(TableFilter.class, TableFilter.bloom(10));
    valid.put(Compression.class, Compression.values()[0]);
    valid.put(CompactionStyle.class, CompactionStyle.values()[0]);
    valid.put(StatisticsLevel.class, StatisticsLevel.TICKERS);
    if (executable.getDeclaringClass() == Statistics.class) { // only then the database is known to be open
      valid.put(Statistics.class, db.metrics().statistics());
    }
    valid.put(Ticker.class, Ticker.values()[0]);
    valid.put(Histogram.class, Histogram.values()[0]);
    valid.put(MergeOperator.class, MergeOperator.max());
    valid.put(KeyOrder.class, KeyOrder.BYTEWISE);
    valid.put(PrefixExtractor.class, PrefixExtractor.fixed(1));
    valid.put(ReadOptions.Tier.class, ReadOptions.Tier.ALL);
    valid.put(ReadOptions.Priority.class, ReadOptions.Priority.LOW);
    valid.put(RocksDbException.Code.class, RocksDbException.Code.values()[0]);
    valid.put(RocksDbException.SubCode.class, RocksDbException.SubCode.values()[0]);
    valid.put(boolean.class, false);
    valid.put(int.class, executable.getName().startsWith("async") ? 1 : 0);
    valid.put(long.class, 1L);
    valid.put(double.class, 10.0);
    valid.put(char.class, ',');
    return Arrays.stream(executable.getParameterTypes())
        .map(
            type -> {
              if (!valid.containsKey(type)) {
                throw new AssertionError("no argument known for " + type + " of " + executable);
              }
              return valid.get(type);
            })
        .toArray();
  }

  /** Closes a callback's argument that the callback owns; a row is only borrowed. */
  private static void take(Object given) {
    if (given instanceof PinnedValue value) {
      value.close();
    }
  }

  /** A closed export, which an open database refuses. */
  private static final class ClosedExport {
    static final FamilyFiles.ExportedFamily IT = make();

    private static FamilyFiles.ExportedFamily make() {
      try {
        Path folder = Files.createTempDirectory("export");
        try (RocksDb db = RocksDb.open(folder.resolve("db"));
            FamilyFiles.ExportedFamily exported = db.files().export(folder.resolve("exported"))) {
          return exported;
        } finally {
          Folders.delete(folder);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A table file that belongs to no open database. */
  private static final class ForeignFile {
    static final FamilyFiles.LiveFile IT = make();

    private static FamilyFiles.LiveFile make() {
      try {
        Path folder = Files.createTempDirectory("foreign");
        try (RocksDb db = RocksDb.open(folder)) {
          db.put("key".getBytes(), "value".getBytes());
          db.flush();
          return db.files().live().getFirst();
        } finally {
          Folders.delete(folder);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns whether a method sets a limit that databases share; such limits have a larger minimum than other sizes. */
  private static boolean isOfLimits(Executable executable) {
    return List.of(MemoryBudget.class, RateLimiter.class, RateLimiter.Options.class, SstFileManager.class)
        .contains(executable.getDeclaringClass());
  }

  /** Returns a parameter's name, from the debug information of the class with the method's code. */
  static String parameterName(Executable executable, Class<?> implementation, int index) {
    for (Class<?> type = implementation; type != null; type = type.getSuperclass()) {
      String name = nameIn(executable, type, index);
      if (name != null) {
        return name;
      }
    }
    return nameIn(executable, executable.getDeclaringClass(), index);
  }

  private static String nameIn(Executable executable, Class<?> type, int index) {
    MethodTypeDesc wanted =
        MethodTypeDesc.ofDescriptor(
            java.lang.invoke.MethodType.methodType(
                    executable instanceof Method method ? method.getReturnType() : void.class,
                    executable.getParameterTypes())
                .descriptorString());
    String name = executable instanceof Method ? executable.getName() : "<init>";
    for (MethodModel method : parse(type)) {
      if (method.methodName().equalsString(name)
          && method.methodTypeSymbol().parameterList().equals(wanted.parameterList())
          && method.code().isPresent()) {
        int slot = Modifier.isStatic(executable.getModifiers()) ? 0 : 1;
        for (int i = 0; i < index; i++) {
          slot += TypeKind.from(wanted.parameterType(i)).slotSize();
        }
        return variable(method.code().get(), slot);
      }
    }
    return null;
  }

  private static List<MethodModel> parse(Class<?> type) {
    String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      return ClassFile.of().parse(in.readAllBytes()).methods();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String variable(CodeModel code, int slot) {
    return code.findAttribute(Attributes.localVariableTable()).stream()
        .flatMap(table -> table.localVariables().stream())
        .filter(variable -> variable.slot() == slot && variable.startPc() == 0)
        .map(LocalVariableInfo::name)
        .map(Object::toString)
        .findFirst()
        .orElse(null);
  }

  private static KeyStore keyStore() {
    try {
      return KeyStore.getInstance(KeyStore.getDefaultType());
    } catch (KeyStoreException e) {
      throw new AssertionError(e);
    }
  }
}
