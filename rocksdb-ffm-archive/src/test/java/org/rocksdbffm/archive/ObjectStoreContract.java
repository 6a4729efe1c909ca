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
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promises of {@link ObjectStore}, which the test of each implementation inherits. */
abstract class ObjectStoreContract {
  private ObjectStore store;

  /** Opens an empty store, or another client of the store that was opened first in this test. */
  abstract ObjectStore open() throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private static ObjectStore.Content content(String text) {
    return new Bytes(text.getBytes(UTF_8));
  }

  private String read(String name, long from) throws IOException {
    try (InputStream in = store.get(name, from)) {
      return in == null ? null : new String(in.readAllBytes(), UTF_8);
    }
  }

  private List<String> names(String prefix, String after, int most) throws IOException {
    return store.list(prefix, after, most).stream().map(ObjectStore.Item::name).toList();
  }

  @Test
  void anObjectIsReadAsItWasStored() throws IOException {
    assertTrue(store.putIfAbsent("files/one", content("the first")));
    assertEquals("the first", read("files/one", 0));
    assertEquals("first", read("files/one", 4));
    assertEquals("", read("files/one", 9));
  }

  @Test
  void anObjectIsNeverReplaced() throws IOException {
    assertTrue(store.putIfAbsent("one", content("the first")));
    assertFalse(store.putIfAbsent("one", content("the second")));
    assertEquals("the first", read("one", 0));
  }

  @Test
  void aMissingObjectIsNull() throws IOException {
    assertNull(store.get("files/none", 0));
    assertNull(store.get("none", 0));
  }

  @Test
  void anEmptyObjectIsStored() throws IOException {
    assertTrue(store.putIfAbsent("empty", content("")));
    assertFalse(store.putIfAbsent("empty", content("")));
    assertEquals("", read("empty", 0));
    assertEquals(List.of(new ObjectStore.Item("empty", 0)), store.list("", "", 10));
  }

  @Test
  void aStreamMayBeClosedEarly() throws IOException {
    byte[] large = new byte[20 << 20];
    new Random(1).nextBytes(large);
    assertTrue(store.putIfAbsent("large", new Bytes(large)));
    for (int i = 0; i < 20; i++) {
      try (InputStream in = store.get("large", i)) {
        assertEquals(large[i], (byte) in.read());
      }
    }
    try (InputStream in = store.get("large", 0)) {
      assertArrayEquals(large, in.readAllBytes());
    }
  }

  @Test
  void aListIsInOrderAndInParts() throws IOException {
    TreeSet<String> expected = new TreeSet<>();
    for (int i = 0; i < 25; i++) {
      String name = "log/" + String.format("%04d", i * 7 % 25);
      store.putIfAbsent(name, content("x".repeat(i)));
      expected.add(name);
    }
    store.putIfAbsent("log-2", content("another prefix"));
    store.putIfAbsent("logs/1", content("another prefix"));
    store.putIfAbsent("bases/1/manifest", content("deeper"));
    List<String> found = new ArrayList<>();
    List<String> page = names("log/", "", 7);
    while (!page.isEmpty()) {
      assertTrue(page.size() <= 7, page::toString);
      found.addAll(page);
      page = names("log/", found.getLast(), 7);
    }
    assertEquals(List.copyOf(expected), found);
    assertEquals(List.of("log/0021", "log/0022", "log/0023", "log/0024"), names("log/", "log/00205", 100));
    assertEquals(List.of("bases/1/manifest", "log-2", "log/0000"), names("", "", 3));
    assertEquals(List.of("log/0010", "log/0011"), names("log/001", "", 2));
    assertEquals(List.of(), names("none/", "", 100));
    assertEquals(List.of(new ObjectStore.Item("bases/1/manifest", 6)), store.list("bases/", "", 100));
  }

  @Test
  void aDeletedObjectCanBeStoredAgain() throws IOException {
    store.putIfAbsent("a/b", content("old"));
    store.delete("a/b");
    assertNull(store.get("a/b", 0));
    assertEquals(List.of(), names("a/", "", 10));
    store.delete("a/b");
    store.delete("never/stored");
    assertTrue(store.putIfAbsent("a/b", content("new")));
    assertEquals("new", read("a/b", 0));
  }

  @Test
  void aWrongNameIsRefused() {
    for (String wrong : List.of("", "/a", "a/", "a//b", "../a", "a/../b", ".a", "A", "a b", "ä", "a".repeat(201))) {
      assertThrows(IllegalArgumentException.class, () -> store.putIfAbsent(wrong, content("x")), wrong);
      assertThrows(IllegalArgumentException.class, () -> store.get(wrong, 0), wrong);
      assertThrows(IllegalArgumentException.class, () -> store.delete(wrong), wrong);
    }
    assertThrows(IllegalArgumentException.class, () -> store.list("A", "", 1));
    assertThrows(IllegalArgumentException.class, () -> store.list("", "", 0));
    assertThrows(IllegalArgumentException.class, () -> store.get("a", -1));
  }

  @Test
  void aContentThatFailsStoresNothing() throws IOException {
    ObjectStore.Content cutOff = new ObjectStore.Content() {
      @Override
      public long size() {
        return 100;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(new byte[50]);
      }
    };
    assertThrows(IOException.class, () -> store.putIfAbsent("cut", cutOff));
    assertNull(store.get("cut", 0));
    assertEquals(List.of(), names("", "", 10));
  }

  @Test
  void oneOfManyWritersWins() throws Exception {
    int writers = 8;
    for (int round = 0; round < 10; round++) {
      String name = "log/" + round;
      CountDownLatch start = new CountDownLatch(1);
      List<Callable<Boolean>> attempts = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        String text = "writer " + writer;
        attempts.add(() -> {
          try (ObjectStore client = open()) {
            start.await();
            return client.putIfAbsent(name, content(text));
          }
        });
      }
      List<Boolean> won = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
        List<Future<Boolean>> results = attempts.stream().map(threads::submit).toList();
        start.countDown();
        for (Future<Boolean> result : results) {
          won.add(result.get());
        }
      }
      assertEquals(1, won.stream().filter(each -> each).count(), won::toString);
      assertEquals("writer " + won.indexOf(true), read(name, 0));
    }
  }
}
