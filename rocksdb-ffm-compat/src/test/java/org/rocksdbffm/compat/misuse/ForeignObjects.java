/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * A hostile program: for each parameter of each public method of one database's objects, passes an object of another
 * open database. Prints how each call ended, and then whether both databases have unchanged entries.
 */
final class ForeignObjects {
  private static final List<Class<?>> OF_A_DATABASE =
      List.of(
          ColumnFamilyHandle.class,
          Snapshot.class,
          ReadOptions.class,
          Transaction.class,
          RocksIterator.class,
          RocksDB.class,
          WriteBatch.class,
          WriteBatchWithIndex.class);

  private final Side one;
  private final Side other;

  private ForeignObjects(Path folder) throws RocksDBException {
    one = new Side(folder.resolve("one"), List.of("first", "second"));
    other = new Side(folder.resolve("other"), List.of("second", "first"));
  }

  /** A database, and one object of each type that belongs to the database. */
  private static final class Side {
    final Path folder;
    final TransactionDB db;
    final List<ColumnFamilyHandle> families = new ArrayList<>();
    final Snapshot snapshot;
    final Transaction transaction;

    Side(Path folder, List<String> names) throws RocksDBException {
      this.folder = folder;
      db = TransactionDB.open(new Options().setCreateIfMissing(true), new TransactionDBOptions(), folder.toString());
      for (String name : names) {
        families.add(db.createColumnFamily(new ColumnFamilyDescriptor(name.getBytes(UTF_8))));
      }
      for (int i = 0; i < 100; i++) {
        for (ColumnFamilyHandle family : families) {
          db.put(family, ("k" + i).getBytes(UTF_8), (folder.getFileName() + " " + family.getID()).getBytes(UTF_8));
        }
      }
      snapshot = db.getSnapshot();
      transaction = db.beginTransaction(new WriteOptions());
    }

    <B extends AbstractWriteBatch> B filled(B batch) throws RocksDBException {
      batch.put(families.getFirst(), "k1".getBytes(UTF_8), "of a batch".getBytes(UTF_8));
      return batch;
    }

    Object of(Class<?> type) throws RocksDBException {
      return switch (type.getSimpleName()) {
        case "ColumnFamilyHandle" -> families.getFirst();
        case "Snapshot" -> snapshot;
        case "ReadOptions" -> new ReadOptions().setSnapshot(snapshot);
        case "Transaction" -> transaction;
        case "RocksIterator" -> db.newIterator();
        case "RocksDB" -> db;
        case "WriteBatch" -> filled(new WriteBatch());
        case "WriteBatchWithIndex" -> filled(new WriteBatchWithIndex(true));
        default -> throw new AssertionError(type);
      };
    }

    /** Returns the objects whose methods are called. */
    List<Object> receivers() throws RocksDBException {
      return List.of(
          db,
          transaction,
          of(RocksIterator.class),
          of(WriteBatch.class),
          of(WriteBatchWithIndex.class),
          Checkpoint.create(db));
    }
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    ForeignObjects program = new ForeignObjects(Path.of("").toAbsolutePath());
    for (Object receiver : program.one.receivers()) {
      program.callAll(receiver);
    }
    program.one.db.close();
    program.other.db.close();
    for (Side side : List.of(program.one, program.other)) {
      System.out.println(side.folder.getFileName() + " has " + rows(side.folder));
    }
  }

  private void callAll(Object receiver) throws RocksDBException {
    Method[] methods = receiver.getClass().getMethods();
    Arrays.sort(methods, Comparator.comparing(Method::toString));
    for (Method method : methods) {
      if (Modifier.isStatic(method.getModifiers()) || !method.getDeclaringClass().getName().startsWith("org.rocksdb")) {
        continue;
      }
      Type[] types = method.getGenericParameterTypes();
      for (int i = 0; i < types.length; i++) {
        Class<?> foreign = ofADatabase(types[i]);
        if (foreign != null && !method.isBridge()) {
          System.out.println(signature(method) + " " + i + ": " + call(receiver, method, i));
        }
      }
    }
  }

  private static String signature(Method method) {
    return method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  private String call(Object receiver, Method method, int foreign) throws RocksDBException {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(method.getGenericParameterTypes()[i], i == foreign ? other : one);
    }
    try {
      method.invoke(receiver, arguments);
      return "returned";
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      return thrown instanceof IllegalArgumentException && thrown.getMessage().endsWith("database")
          ? "refused"
          : "threw " + thrown;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(signature(method), e);
    }
  }

  private static Class<?> ofADatabase(Type type) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      return ofADatabase(generic.getActualTypeArguments()[0]);
    }
    return OF_A_DATABASE.contains(type) ? (Class<?>) type : null;
  }

  private static Object argument(Type type, Side side) throws RocksDBException {
    if (type instanceof ParameterizedType generic) {
      if (generic.getRawType() != List.class) {
        return null;
      }
      Object element = argument(generic.getActualTypeArguments()[0], side);
      return new ArrayList<>(Arrays.asList(element, element));
    }
    Class<?> its = (Class<?>) type;
    if (OF_A_DATABASE.contains(its)) {
      return side.of(its);
    }
    return switch (its.getSimpleName()) {
      case "boolean" -> false;
      case "int" -> 0;
      case "long" -> 0L;
      case "byte[]" -> "k1".getBytes(UTF_8);
      case "byte[][]" -> new byte[][] {"k1".getBytes(UTF_8), "k2".getBytes(UTF_8)};
      case "SizeApproximationFlag[]" -> new SizeApproximationFlag[0];
      case "ByteBuffer" -> ByteBuffer.allocateDirect(16);
      case "String" -> "rocksdb.stats";
      default -> made(its);
    };
  }

  private static Object made(Class<?> type) {
    try {
      return type.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static Map<String, String> rows(Path folder) throws RocksDBException {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    for (byte[] name : RocksDB.listColumnFamilies(new Options(), folder.toString())) {
      families.add(new ColumnFamilyDescriptor(name));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    Map<String, String> counts = new TreeMap<>();
    try (RocksDB db = RocksDB.open(new DBOptions(), folder.toString(), families, handles)) {
      for (ColumnFamilyHandle family : handles) {
        try (RocksIterator rows = db.newIterator(family)) {
          for (rows.seekToFirst(); rows.isValid(); rows.next()) {
            counts.merge(new String(family.getName(), UTF_8) + " "
                + new String(rows.value(), UTF_8), "x", String::concat);
          }
        }
      }
    }
    counts.replaceAll((what, count) -> Integer.toString(count.length()));
    return counts;
  }
}
