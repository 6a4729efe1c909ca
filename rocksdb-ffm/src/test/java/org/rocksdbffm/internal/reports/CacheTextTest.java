/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The engine's text about a cache is parsed, also with decimal commas, and for a cache without capacity. */
class CacheTextTest {
  private static final String LINE =
      "Block cache LRUCache@0x7f#9 capacity: 32%s00 MB seed: 1 usage: 1%s50 KB table_size: 4 occupancy: 3 "
      + "collections: 7"
          + " last_copies: 0 last_secs: 1.5e-05 secs_since: 12\n"
          + "Block cache entry stats(count,size,portion): DataBlock(2,1%s50 KB,%s) Unheard(1,3%s00 MB,0.5%%)\n";

  private static CacheText parse(String point, String percent) {
    return CacheText.parse(LINE.formatted(point, point, point, percent, point), 1 << 25);
  }

  @Test
  void aTextIsRead() {
    CacheText text = parse(".", "4.57764e-03%");
    assertEquals("LRUCache@0x7f#9", text.id());
    assertEquals(1 << 25, text.capacity());
    assertEquals(7, text.scans());
    assertEquals(Duration.ofNanos(15_000), text.scanTook());
    assertEquals(Duration.ofSeconds(12), text.age());
    assertEquals(
        List.of(
            new CacheText.Entry("DataBlock", 2, 4.57764e-03, 1536), new CacheText.Entry("Unheard", 1, 0.5, 3 << 20)),
        text.entries());
  }

  @Test
  void aTextWithCommasIsTheSame() {
    assertEquals(parse(".", "4.5%"), parse(",", "4,5%"));
  }

  @Test
  void aShareOfACacheWithoutRoomIsNoNumber() {
    for (String none : List.of("inf%", "-nan%")) {
      assertTrue(Double.isNaN(parse(".", none).entries().getFirst().percent()), none);
    }
  }

  @Test
  void anotherTextIsRefused() {
    assertThrowsExactly(IllegalStateException.class, () -> CacheText.parse("nothing", 1));
  }
}
