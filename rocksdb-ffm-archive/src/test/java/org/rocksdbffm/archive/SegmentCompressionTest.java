/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentCompressionTest {
  private static final int MIB = 1 << 20;
  private final SegmentCompression compression = new SegmentCompression();

  /** Half of each segment can be saved, by 10 ns for each byte of it. */
  private int next(boolean isBehind, int nanosToSend) {
    int level = compression.level(isBehind);
    boolean isSmaller = level != Deflater.NO_COMPRESSION;
    compression.compressed(level, MIB, isSmaller ? MIB / 2 : MIB, 10L * MIB);
    compression.sent(MIB, (long) nanosToSend * MIB);
    return level;
  }

  @Test
  void segmentsAreCompressedWhileTheArchiveKeepsUp() {
    for (int i = 0; i < 100; i++) {
      assertEquals(Deflater.BEST_SPEED, next(false, 1));
    }
  }

  @Test
  void aFastStoreGetsFewCompressedSegmentsWhileTheArchiveIsBehind() {
    assertEquals(Deflater.BEST_SPEED, next(true, 1), "what it saves is not known yet");
    long compressed = 0;
    for (int i = 0; i < 320; i++) {
      compressed += next(true, 1) == Deflater.BEST_SPEED ? 1 : 0;
    }
    assertEquals(10, compressed);
  }

  @Test
  void aSlowStoreGetsCompressedSegments() {
    for (int i = 0; i < 100; i++) {
      assertEquals(Deflater.BEST_SPEED, next(true, 21));
    }
  }

  @Test
  void aStoreThatBecomesSlowGetsCompressedSegmentsAgain() {
    next(true, 1);
    assertEquals(Deflater.NO_COMPRESSION, next(true, 1000));
    assertEquals(Deflater.BEST_SPEED, next(true, 1000));
  }

  @ParameterizedTest
  @ValueSource(ints = {Deflater.NO_COMPRESSION, Deflater.BEST_SPEED})
  void segmentsOfBothLevelsAreRead(int level) throws Exception {
    byte[] bytes = new byte[3 * MIB];
    new Random(1).nextBytes(bytes);
    Segment segment = new Segment(List.of(new Segment.Piece(7, 32, bytes, List.of(new Segment.Mark(40, 3)))));
    byte[] body = Entry.compressed(level, segment::write);
    assertTrue(body.length >= bytes.length, "random bytes cannot be compressed");
    Entry.Head head = new Entry.Head(Entry.Kind.SEGMENT, 1, "w", 1, 0, 0, 3, 4, Entry.NO_HASH);
    Segment.Piece read = Segment.read(Entry.of(head, body)).pieces().getFirst();
    assertArrayEquals(bytes, read.bytes());
  }
}
