/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.opening.DatabaseOpener;
import org.rocksdbffm.internal.opening.Request;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.options.NamedValues;
import org.rocksdbffm.internal.options.OptionSettings;
import org.rocksdbffm.internal.settings.Extras;
import org.rocksdbffm.internal.settings.NativeOptions;


class KeyListTest {
  @TempDir Path folder;
  private Database database;
  private final List<ReadPath> sources = new ArrayList<>();

  @BeforeEach
  void openFamilies() {
    NamedValues settings =
        NamedValues.NONE.with("create_if_missing", true, false).with("create_missing_column_families", true, false);
    NamedValues backward = NamedValues.NONE.with("comparator", "rocksdb.ReverseBytewiseComparator", false);
    Extras inJava =
        Extras.NONE.withCode(Extras.COMPARATOR, "in Java", (frame, a, aSize, b, bSize) -> Long.compare(aSize, bSize));
    try (Request request =
        new Request(FolderPath.of(folder), DatabaseKind.PLAIN, Map.of(), made(settings, Extras.NONE))) {
      request.add("x", request.options());
      request.add("y", request.options());
      request.add("z backward", request.own(made(backward, Extras.NONE)));
      request.add("z in Java", request.own(made(NamedValues.NONE, inJava)));
      database = DatabaseOpener.open(request);
    }
    List<NativeFamily> families = database.families();
    families.forEach(family -> sources.add(ReadPath.of(family, new NativeReadOptions(Map.of()), null)));
  }

  private static NativeOptions made(NamedValues settings, Extras extras) {
    return NativeOptions.of(
        new OptionSettings(settings, NamedValues.NONE),
        DatabaseKind.PLAIN,
        extras);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void keysAreGroupedByFamilyInTheirOrder() {
    KeyList keys = new KeyList();
    for (int family : new int[] {1, 0, 1, 2, 0, 1}) {
      keys.add(sources.get(family), bytes("key"));
    }
    assertArrayEquals(new int[] {0, 2, 5, 1, 4, 3}, keys.grouped());
  }

  @Test
  void theKeysOfEachFamilyAreSorted() {
    KeyList keys = new KeyList();
    keys.add(sources.get(0), bytes("bz"));
    keys.add(sources.get(1), bytes("a"));
    keys.add(sources.get(0), bytes("b"));
    keys.add(sources.get(0), MemorySegment.ofArray(new byte[] {'b', (byte) 0x80}));
    int[] order = keys.grouped();
    assertTrue(keys.sort(order));
    assertArrayEquals(new int[] {2, 0, 3, 1}, order, "0x80 is above z");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void theKeysOfAFamilyInAnotherOrderAreLeftToTheEngine(int family) {
    KeyList keys = new KeyList();
    for (String key : List.of("a", "b", "c")) {
      keys.add(sources.get(family), bytes(key));
    }
    int[] order = keys.grouped();
    assertFalse(keys.sort(order));
    assertArrayEquals(new int[] {0, 1, 2}, order);
  }

  @Test
  void aClearedListBeginsAnew() {
    KeyList keys = new KeyList();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        keys.add(sources.get(0), new byte[i]);
      }
      assertEquals(100, keys.count());
      assertEquals(4950, keys.size());
      assertEquals(99, keys.length(99));
      keys.clear();
      assertEquals(0, keys.size());
    }
  }

  @Test
  void moreThan2GiBAreRefusedAndTheListStaysAsItIs() {
    KeyList keys = new KeyList();
    keys.add(sources.get(0), bytes("key"));
    MemorySegment tooLarge = MemorySegment.NULL.reinterpret(Integer.MAX_VALUE);
    var e = assertThrows(IllegalStateException.class, () -> keys.add(sources.get(0), tooLarge));
    assertEquals("the keys of a multi-get would exceed 2 GiB: ask for fewer at once", e.getMessage());
    assertEquals(1, keys.count());
    assertEquals(3, keys.size());
  }

  @Test
  void groupingTakesTimeInProportionToTheKeys() {
    KeyList keys = new KeyList();
    for (int i = 0; i < 400_000; i++) {
      keys.add(sources.get(i < 200_000 ? 0 : 1), new byte[1]);
    }
    assertTimeout(Duration.ofSeconds(60), keys::grouped);
  }
}
