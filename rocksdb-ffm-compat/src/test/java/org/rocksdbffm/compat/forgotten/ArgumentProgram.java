/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.lifetime.OpenObjects;

/**
 * Calls each public method and constructor that takes a closeable object, for the classes that a program closes; drops
 * the argument, collects garbage, and uses the receiver and the result. Prints each action before it. Takes one in
 * {@code rocksdbffm.forgotten.step} of the members.
 */
final class ArgumentProgram {
  private static final int ROUNDS = 5;
  private static final int STEP = Integer.getInteger("rocksdbffm.forgotten.step");
  private static final long LIMIT_NANOS = 60_000_000_000L;

  private final Makers makers;
  private final Path folder;
  private final Map<String, Class<?>> types = new TreeMap<>();
  private final Map<String, Object> kept = new LinkedHashMap<>();
  private int count;
  private int seen;

  private ArgumentProgram(Path folder) throws RocksDBException {
    this.folder = folder;
    makers = new Makers(folder);
    for (Map.Entry<String, Makers.Maker> each : makers.all.entrySet()) {
      Object made = each.getValue().make();
      types.put(each.getKey(), made.getClass());
      ((AbstractNativeReference) made).close();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, Long> before;
    ArgumentProgram program = new ArgumentProgram(Path.of("").toAbsolutePath());
    before = OpenObjects.counts();
    program.callAll();
    collect();
    program.useAll();
    System.out.println("called " + program.kept.size());
    program.kept.clear();
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!OpenObjects.counts().equals(before) && System.nanoTime() < end) {
      collect();
    }
    System.out.println("left over "
        + (OpenObjects.counts().equals(before) ? "nothing" : before + " " + OpenObjects.counts()));
  }

  private void callAll() {
    for (String name : makers.all.keySet()) {
      Class<?> type = types.get(name);
      Class<?> upstreams = type.getName().startsWith("org.rocksdb.") ? type : type.getSuperclass();
      List<Executable> all = new ArrayList<>(List.of(upstreams.getMethods()));
      if (upstreams == type) {
        all.addAll(List.of(upstreams.getConstructors()));
      }
      for (Executable each : all) {
        boolean isTaken = !each.isSynthetic()
            && Arrays.stream(each.getParameterTypes()).anyMatch(AbstractNativeReference.class::isAssignableFrom);
        if (isTaken && seen++ % STEP == 0) {
          call(name, each);
        }
      }
    }
  }

  /** Keeps the object and the result; the arguments are unreachable after this method returns. */
  private void call(String name, Executable called) {
    String what = name + "." + called.getName() + Arrays.toString(called.getParameterTypes());
    try {
      Object receiver =
          called instanceof Constructor || Modifier.isStatic(called.getModifiers()) ? null
          : makers.all.get(name).make();
      Object[] arguments = new Object[called.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(called.getGenericParameterTypes()[i], called.getParameterTypes()[i], receiver);
      }
      System.out.println("calls " + what);
      Object result =
          called instanceof Constructor<?> made ? made.newInstance(arguments)
          : ((Method) called).invoke(receiver, arguments);
      kept.put(what, receiver == null || result == receiver ? new Object[] {result} : new Object[] {receiver, result});
    } catch (InvocationTargetException refused) {
      System.out.println("refused " + what + ": " + refused.getCause());
    } catch (ReflectiveOperationException | RocksDBException e) {
      throw new AssertionError(what, e);
    }
  }

  private Object argument(Type generic, Class<?> type, Object receiver) throws RocksDBException {
    if (AbstractNativeReference.class.isAssignableFrom(type)) {
      if (type == org.rocksdb.ColumnFamilyHandle.class) {
        return receiver instanceof RocksDB db ? db.getDefaultColumnFamily() : null;
      }
      String maker =
          types.keySet().stream().filter(its -> type.isAssignableFrom(types.get(its))).findFirst().orElse(null);
      if (maker == null) {
        return null;
      }
      System.out.println("forgets " + types.get(maker).getSimpleName());
      return makers.all.get(maker).make();
    } else if (type == List.class) {
      Type element = ((ParameterizedType) generic).getActualTypeArguments()[0];
      Object only = element instanceof Class<?> its ? argument(its, its, receiver) : null;
      return only == null ? List.of() : List.of(only);
    } else if (type.isEnum()) {
      return type.getEnumConstants()[0];
    } else if (type == String.class) {
      return folder.resolve("argument" + count++).toString();
    }
    return simple(type);
  }

  private static Object simple(Class<?> type) {
    if (type == byte[].class) {
      return Makers.KEY;
    } else if (type == byte[][].class) {
      return new byte[][] {Makers.KEY};
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocateDirect(Makers.KEY.length).put(Makers.KEY).flip();
    } else if (type == int.class || type == Integer.class) {
      return 1;
    } else if (type == long.class || type == Long.class) {
      return 1L << 20;
    } else if (type == double.class) {
      return 0.5;
    }
    return type == boolean.class ? Boolean.TRUE : null;
  }

  /** Makes the collector find unreachable objects, and the reclaimer destroy their native objects. */
  private static void collect() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      WeakReference<Object> found = new WeakReference<>(new Object());
      while (!found.refersTo(null)) {
        System.gc();
      }
      Thread.yield();
    }
  }

  private void useAll() {
    kept.forEach(
        (what, objects) -> {
          System.out.println("uses " + what);
          for (Object each : (Object[]) objects) {
            use(each);
          }
        });
  }

  private void use(Object used) {
    String path = folder.resolve("used" + count++).toString();
    try {
      switch (used) {
        case Options options -> work(RocksDB.open(options.setCreateIfMissing(true), path));
        case DBOptions options ->
            work(RocksDB.open(new Options(options.setCreateIfMissing(true), new ColumnFamilyOptions()), path));
        case ColumnFamilyOptions options ->
            work(RocksDB.open(new Options(new DBOptions().setCreateIfMissing(true), options), path));
        case RocksDB db -> work(db);
        case null, default -> askAll(used);
      }
    } catch (RocksDBException | RuntimeException refused) {
      System.out.println("refused " + refused);
    }
  }

  private static void work(RocksDB db) throws RocksDBException {
    db.put(Makers.KEY, Makers.KEY);
    try (FlushOptions flush = new FlushOptions(); var iterator = db.newIterator()) {
      db.flush(flush);
      db.compactRange();
      db.get(Makers.KEY);
      iterator.seekToFirst();
    } finally {
      db.close();
    }
  }

  /** Calls all methods without parameters, {@code close} last. */
  private static void askAll(Object used) {
    if (!(used instanceof AbstractNativeReference closed)) {
      return;
    }
    for (Method each : used.getClass().getMethods()) {
      boolean isPlain = each.getParameterCount() == 0 && each.getDeclaringClass().getName().startsWith("org.rocksdb.");
      if (isPlain && !each.getName().matches("close|disOwn.*|.*NativeHandle.*")) {
        try {
          each.invoke(used);
        } catch (IllegalAccessException | InvocationTargetException refused) {
          continue;
        }
      }
    }
    closed.close();
  }
}
