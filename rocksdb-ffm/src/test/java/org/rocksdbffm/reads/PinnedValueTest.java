/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.DatabaseCase;

class PinnedValueTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");
  private static final MemorySegment VALUE = MemorySegment.ofArray(random(10_000, 1));

  @BeforeEach
  void fill() {
    db.put(KEY, random(10_000, 1));
    db.put(bytes("empty"), new byte[0]);
  }

  private static void assertDead(MemorySegment segment) {
    assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void aPartSaysWhatItIsAPartOf() {
    db.put(bytes("part"), new byte[5000]);
    try (PinnedValue value = db.getPinned(bytes("part"));
        PinnedValue part = value.slice(1, 3);
        PinnedValues values = db.multiGet().add(bytes("part")).get();
        PinnedValue one = values.value(0)) {
      assertTrue(value.toString().endsWith(": 5000 bytes"), value::toString);
      assertEquals("part of " + value.toString().replace("5000", "3"), part.toString());
      assertTrue(one.toString().matches("part of multi-get of .+: 5000 bytes"), one::toString);
    }
  }

  @Test
  void aPinnedValueKeepsWhatWasRead() {
    try (PinnedValue pinned = db.getPinned(KEY)) {
      db.put(KEY, bytes("new"));
      db.flush();
      db.compact(KeyRange.all());
      assertEquals(10_000, pinned.size());
      assertEquals(-1, pinned.segment().mismatch(VALUE));
      assertTrue(pinned.segment().isReadOnly());
    }
  }

  @Test
  void anEmptyValueIsNotAbsent() {
    try (PinnedValue pinned = db.getPinned(bytes("empty"));
        PinnedValue.View view = pinned.view()) {
      assertEquals(0, pinned.size());
      assertEquals(0, pinned.segment().byteSize());
      assertEquals(0, view.segment().byteSize());
    }
    assertNull(db.getPinned(bytes("none")));
  }

  @Test
  void closingEndsTheSegmentOnce() {
    PinnedValue pinned = db.getPinned(KEY);
    MemorySegment segment = pinned.segment();
    pinned.close();
    pinned.close();
    assertDead(segment);
    assertEquals(10_000, pinned.size());
    String message = assertThrows(IllegalStateException.class, pinned::segment).getMessage();
    assertTrue(message.startsWith("pinned value of column family 'default' of database "), message);
    assertTrue(message.endsWith(" is released: ask for it while somebody still holds it"), message);
    assertThrows(IllegalStateException.class, pinned::view);
    assertThrows(IllegalStateException.class, pinned::retain);
  }

  @Test
  void theLastHolderReleases() {
    PinnedValue pinned = db.getPinned(KEY);
    assertSame(pinned, pinned.retain());
    pinned.close();
    assertEquals(1, db.pins().count());
    assertEquals(-1, pinned.segment().mismatch(VALUE));
    pinned.close();
    assertEquals(0, db.pins().count());
  }

  @Test
  void anOpenViewKeepsTheBytes() {
    PinnedValue pinned = db.getPinned(KEY);
    PinnedValue.View view = pinned.view();
    MemorySegment segment = view.segment();
    pinned.close();
    assertEquals(1, db.pins().count());
    assertEquals(-1, segment.mismatch(VALUE));
    view.close();
    view.close();
    assertDead(segment);
    assertThrows(IllegalStateException.class, view::segment);
  }

  @Test
  void aValueTravelsButASegmentDoesNot() {
    PinnedValue pinned = db.getPinned(KEY);
    MemorySegment segment = pinned.segment();
    var e =
        assertThrows(
            CompletionException.class,
            () -> CompletableFuture.supplyAsync(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).join());
    assertEquals(WrongThreadException.class, e.getCause().getClass());
    assertEquals(-1L, CompletableFuture.supplyAsync(() -> mismatch(pinned)).join());
    CompletableFuture.runAsync(pinned::close).join();
    assertEquals(-1, segment.mismatch(VALUE), "another thread's close leaves this thread's segment alone");
    pinned.close();
    assertDead(segment);
  }

  private static long mismatch(PinnedValue pinned) {
    try (PinnedValue.View view = pinned.view()) {
      return view.segment().mismatch(VALUE);
    }
  }

  @Test
  void manyThreadsHoldAndLetGo() {
    PinnedValue pinned = db.getPinned(KEY);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      pinned.retain();
      threads.add(CompletableFuture.runAsync(() -> {
        for (int round = 0; round < 2_000; round++) {
          pinned.retain();
          assertEquals(-1, mismatch(pinned));
          pinned.close();
        }
        pinned.close();
      }));
    }
    pinned.close();
    threads.forEach(CompletableFuture::join);
  }

  @Test
  void pinsOutliveTheirDatabase() {
    PinnedValue pinned = db.getPinned(KEY);
    PinnedValues values = db.multiGet().add(KEY).get();
    db.close();
    assertEquals(2, db.pins().count());
    assertEquals(-1, pinned.segment().mismatch(VALUE));
    assertEquals(-1, values.segment(0).mismatch(VALUE));
    pinned.close();
    values.close();
    RocksDb.open(folder).close();
  }
}
