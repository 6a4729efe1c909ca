/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.archive.s3.S3Server;
import org.rocksdbffm.archive.s3.S3Store;

/**
 * {@link S3Store} fulfills the contract of object stores on a server that checks signatures, with small, large and many
 * objects.
 */
class S3StoreTest extends ObjectStoreContract {
  private static final int PART = 8 << 20;

  @TempDir Path folder;
  private S3Server server;

  @Override
  ObjectStore open() throws Exception {
    synchronized (this) {
      server = server == null ? S3Server.start(folder.resolve("server")) : server;
    }
    return server.store();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(ObjectStore store, String name, long from) throws IOException {
    try (InputStream in = store.get(name, from)) {
      return in.readAllBytes();
    }
  }

  @Test
  void anObjectOfAnySizeAroundAPartIsWhole() throws Exception {
    try (ObjectStore store = open()) {
      for (int size : List.of(PART, PART + 1, 2 * PART + 1)) {
        byte[] bytes = random(size);
        String name = "files/" + size;
        assertTrue(store.putIfAbsent(name, new Bytes(bytes)));
        assertFalse(store.putIfAbsent(name, new Bytes(bytes)));
        assertArrayEquals(bytes, read(store, name, 0));
        assertArrayEquals(new byte[] {bytes[size - 1]}, read(store, name, size - 1));
        assertEquals(0, read(store, name, size).length);
        assertThrows(EOFException.class, () -> store.get(name, size + 1));
        assertEquals(List.of(new ObjectStore.Item(name, size)), store.list(name, "", 2));
      }
    }
  }

  @Test
  void oneOfTwoWritersOfALargeObjectWins() throws Exception {
    CyclicBarrier atTheEnd = new CyclicBarrier(2); // both uploads have sent their parts
    List<byte[]> contents = List.of(random(PART + 1), random(PART + 2));
    List<Callable<Boolean>> puts = new ArrayList<>();
    for (byte[] content : contents) {
      puts.add(() -> {
        try (ObjectStore store = open()) {
          return store.putIfAbsent("large", new Meeting(content, atTheEnd));
        }
      });
    }
    List<Boolean> won = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Future<Boolean> put : threads.invokeAll(puts)) {
        won.add(put.get());
      }
    }
    assertEquals(1, won.stream().filter(each -> each).count(), won::toString);
    try (ObjectStore store = open()) {
      assertArrayEquals(contents.get(won.indexOf(true)), read(store, "large", 0));
      assertEquals(1, store.list("", "", 10).size());
    }
  }

  /** Bytes whose stream waits at its end for the end of another stream. */
  private record Meeting(byte[] bytes, CyclicBarrier end) implements ObjectStore.Content {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new FilterInputStream(new ByteArrayInputStream(bytes)) {
        @Override
        public int read() throws IOException {
          int next = super.read();
          if (next < 0) {
            try {
              end.await();
            } catch (InterruptedException | BrokenBarrierException e) {
              throw new IOException(e);
            }
          }
          return next;
        }
      };
    }
  }

  @Test
  void aListOfMoreThanAPageHasAllObjects() throws Exception {
    int objects = 1_203;
    try (ObjectStore store = open()) {
      assertTrue(store.putIfAbsent("log/00000", new Bytes(new byte[1])));
      Path stored = folder.resolve("server").resolve(S3Server.BUCKET).resolve("log");
      for (int i = 1; i < objects; i++) {
        Files.createLink(stored.resolve(String.format("%05d", i)), stored.resolve("00000"));
      }
      List<ObjectStore.Item> all = store.list("log/", "", 10_000);
      assertEquals(objects, all.size());
      for (int i = 0; i < objects; i++) {
        assertEquals(new ObjectStore.Item(String.format("log/%05d", i), 1), all.get(i));
      }
      assertEquals(all.subList(0, 1001), store.list("log/", "", 1001));
      assertEquals(all.subList(150, objects), store.list("log/", "log/00149", 10_000));
    }
  }

  @Test
  void prefixesOfAnyCharactersAreSeparate() throws Exception {
    open().close();
    List<ObjectStore> stores = new ArrayList<>();
    for (String prefix : List.of("plain", "plain/deeper", "a b+c%41=&?#;ä€😀'\"(~)", "-._")) {
      stores.add(S3Store.open(S3Server.options(server.port()).prefix(prefix)));
    }
    for (ObjectStore store : stores) {
      assertTrue(store.putIfAbsent("log/1", new Bytes(store.toString().getBytes(UTF_8))), store::toString);
      assertTrue(store.putIfAbsent("log/large", new Bytes(random(PART + 1))), store::toString);
    }
    for (ObjectStore store : stores) {
      assertEquals(store.toString(), new String(read(store, "log/1", 0), UTF_8));
      assertEquals(
          List.of(
              new ObjectStore.Item("log/1", store.toString().getBytes(UTF_8).length),
              new ObjectStore.Item("log/large", PART + 1)),
          store.list("log/", "", 10));
      store.delete("log/1");
      assertNull(store.get("log/1", 0));
      assertEquals(1, store.list("", "log/1", 1).size());
      store.close();
    }
  }

  @Test
  void aServerThatComesBackIsUsedAgain() throws Exception {
    try (ObjectStore store = open()) {
      store.putIfAbsent("one", new Bytes(new byte[] {1}));
      server.stop();
      assertThrows(IOException.class, () -> store.get("one", 0));
      assertThrows(IOException.class, () -> store.putIfAbsent("two", new Bytes(new byte[] {2})));
      assertThrows(IOException.class, () -> store.list("", "", 10));
      server.start();
      assertArrayEquals(new byte[] {1}, read(store, "one", 0));
      assertTrue(store.putIfAbsent("two", new Bytes(new byte[] {2})));
    }
  }
}
