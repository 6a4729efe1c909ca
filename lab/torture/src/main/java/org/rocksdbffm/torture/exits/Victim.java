/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.exits;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process that ends: {@code core|dropin WAY FOLDER}. It opens a database with a callback, writes and reads on two
 * threads, so that the engine flushes and compacts, prints the acknowledged entries, and ends.
 */
final class Victim {
  static final String ACKNOWLEDGED = "acknowledged ";
  private static final int BEFORE_THE_END = 100;

  private Victim() {}

  /** A database of the core or the drop-in. */
  interface Store extends AutoCloseable {
    void put(byte[] key, byte[] value) throws Exception;

    void get(byte[] key) throws Exception;

    void flush() throws Exception;

    /** Makes the engine call a Java callback before this method returns. */
    void callBack() throws Exception;

    @Override
    void close();
  }

  public static void main(String[] arguments) throws Exception {
    Way way = Way.valueOf(arguments[1]);
    AtomicBoolean ends = new AtomicBoolean();
    Path folder = Path.of(arguments[2]);
    Store store = arguments[0].equals("core") ? CoreStore.open(folder, way, ends) : DropInStore.open(folder, way, ends);
    if (way.hasHook()) {
      Runtime.getRuntime().addShutdownHook(new Thread(store::close));
    }
    for (int number = 0; number < BEFORE_THE_END; number++) {
      store.put(key(number), new byte[1000]);
    }
    System.out.println(ACKNOWLEDGED + BEFORE_THE_END);
    if (way.closesBefore()) {
      store.get(key(0));
      store.close();
    } else {
      Thread.ofPlatform().daemon().start(() -> goOn(store, BEFORE_THE_END));
      Thread.ofPlatform().daemon().start(() -> goOn(store, 1_000_000));
    }
    end(way, store, ends);
  }

  static byte[] key(int number) {
    return ("key" + number).getBytes(StandardCharsets.UTF_8);
  }

  private static void goOn(Store store, int from) {
    try {
      for (int number = from; ; number++) {
        store.put(key(number), new byte[1000]);
        store.get(key(number / 2));
        if (number % 64 == 0) {
          store.flush();
        }
      }
    } catch (Exception closed) {
      return; // a shutdown hook has closed the store
    }
  }

  private static void end(Way way, Store store, AtomicBoolean ends) throws Exception {
    switch (way) {
      case CLOSE_AND_EXIT, EXIT, EXIT_WITH_A_HOOK_THAT_CLOSES -> System.exit(way.status);
      case HALT -> Runtime.getRuntime().halt(way.status);
      case CLOSE_AND_MAIN_ENDS, MAIN_ENDS -> {}
      case UNCAUGHT -> throw new IllegalStateException("the end of main");
      case EXIT_IN_A_CALL, EXIT_IN_A_CALL_WITH_A_HOOK_THAT_CLOSES -> {
        ends.set(true);
        store.callBack();
        Thread.sleep(Long.MAX_VALUE); // a put into an empty memtable compares no keys; the next put ends the process
      }
      case EXIT_IN_A_THREAD_OF_THE_ENGINE,
          EXIT_IN_A_THREAD_OF_THE_ENGINE_WITH_A_HOOK_THAT_CLOSES,
          HALT_IN_A_THREAD_OF_THE_ENGINE -> {
        ends.set(true);
        Thread.sleep(Long.MAX_VALUE);
      }
      default -> {
        System.out.println("waits for a signal");
        Thread.sleep(Long.MAX_VALUE);
      }
    }
  }
}
