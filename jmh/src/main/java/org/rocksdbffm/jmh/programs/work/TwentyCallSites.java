/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.util.SplittableRandom;
import org.rocksdbffm.jmh.programs.store.ProgramStore;

/** Gets from ten families, at two call sites for each family, with different keys and uses of the value. */
final class TwentyCallSites implements StoreProgram {
  private static final int FAMILIES = 10;
  private static final int COUNT = 5_000;
  private static final int SIZE = 80;
  private static final int SIZES = 40;

  @Override
  public int families() {
    return FAMILIES;
  }

  @Override
  public void prepare(ProgramStore store) throws Exception {
    for (int family = 0; family < FAMILIES; family++) {
      for (int i = 0; i < COUNT; i++) {
        store.put(family, ProgramRows.key(i), ProgramRows.value(family + i, SIZE + family * SIZES));
      }
      store.flush(family);
    }
  }

  @Override
  public Work work(ProgramStore store, int thread) {
    return new Sites(store);
  }

  /** A method for each call site, as in a program with ten tables. */
  private static final class Sites implements Work {
    private static final int SHAPES = 20;

    private final ProgramStore store;
    private final SplittableRandom random = new SplittableRandom(7);

    Sites(ProgramStore store) {
      this.store = store;
    }

    private byte[] key() {
      return ProgramRows.key(random.nextInt(COUNT));
    }

    /** Returns a key that is missing half of the time. */
    private byte[] otherKey() {
      return ProgramRows.key(random.nextInt(2 * COUNT));
    }

    @Override
    public long step() throws Exception {
      return switch (random.nextInt(SHAPES)) {
        case 0 -> sizeInFamily0();
        case 1 -> sumInFamily0();
        case 2 -> sizeInFamily1();
        case 3 -> sumInFamily1();
        case 4 -> sizeInFamily2();
        case 5 -> sumInFamily2();
        case 6 -> sizeInFamily3();
        case 7 -> sumInFamily3();
        case 8 -> sizeInFamily4();
        case 9 -> sumInFamily4();
        case 10 -> sizeInFamily5();
        case 11 -> sumInFamily5();
        case 12 -> sizeInFamily6();
        case 13 -> sumInFamily6();
        case 14 -> sizeInFamily7();
        case 15 -> sumInFamily7();
        case 16 -> sizeInFamily8();
        case 17 -> sumInFamily8();
        case 18 -> sizeInFamily9();
        default -> sumInFamily9();
      };
    }

    private long sizeInFamily0() throws Exception {
      byte[] value = store.get(0, otherKey());
      return value == null ? 0 : value.length;
    }

    private long sumInFamily0() throws Exception {
      return ProgramRows.sum(store.get(0, key()));
    }

    private long sizeInFamily1() throws Exception {
      byte[] value = store.get(1, otherKey());
      return value == null ? 1 : value.length;
    }

    private long sumInFamily1() throws Exception {
      return ProgramRows.sum(store.get(1, key()));
    }

    private long sizeInFamily2() throws Exception {
      byte[] value = store.get(2, otherKey());
      return value == null ? 2 : value.length;
    }

    private long sumInFamily2() throws Exception {
      return ProgramRows.sum(store.get(2, key()));
    }

    private long sizeInFamily3() throws Exception {
      byte[] value = store.get(3, otherKey());
      return value == null ? 3 : value.length;
    }

    private long sumInFamily3() throws Exception {
      return ProgramRows.sum(store.get(3, key()));
    }

    private long sizeInFamily4() throws Exception {
      byte[] value = store.get(4, otherKey());
      return value == null ? 4 : value.length;
    }

    private long sumInFamily4() throws Exception {
      return ProgramRows.sum(store.get(4, key()));
    }

    private long sizeInFamily5() throws Exception {
      byte[] value = store.get(5, otherKey());
      return value == null ? 5 : value.length;
    }

    private long sumInFamily5() throws Exception {
      return ProgramRows.sum(store.get(5, key()));
    }

    private long sizeInFamily6() throws Exception {
      byte[] value = store.get(6, otherKey());
      return value == null ? 6 : value.length;
    }

    private long sumInFamily6() throws Exception {
      return ProgramRows.sum(store.get(6, key()));
    }

    private long sizeInFamily7() throws Exception {
      byte[] value = store.get(7, otherKey());
      return value == null ? 7 : value.length;
    }

    private long sumInFamily7() throws Exception {
      return ProgramRows.sum(store.get(7, key()));
    }

    private long sizeInFamily8() throws Exception {
      byte[] value = store.get(8, otherKey());
      return value == null ? 8 : value.length;
    }

    private long sumInFamily8() throws Exception {
      return ProgramRows.sum(store.get(8, key()));
    }

    private long sizeInFamily9() throws Exception {
      byte[] value = store.get(9, otherKey());
      return value == null ? 9 : value.length;
    }

    private long sumInFamily9() throws Exception {
      return ProgramRows.sum(store.get(9, key()));
    }
  }
}
