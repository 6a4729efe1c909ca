/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.reads.Store.Kind;
import org.rocksdbffm.reads.Store.Merging;
import org.rocksdbffm.reads.Store.Shape;
import org.rocksdbffm.reads.Store.View;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.Order;

/** A random test case: a database, and steps, each of which can be omitted. */
record ReadsCase(Shape shape, Settings settings, List<Step> steps) {
  /** A step: writes, reads or other work, and its description. */
  record Step(String text, Work work) {
    @Override
    public String toString() {
      return text;
    }
  }

  interface Work {
    void in(Store store) throws IOException;
  }

  /** Runs the steps, and returns the first failure; null if all reads return the rows of the map. */
  Throwable failure(Path parent) throws IOException {
    Path folder = Files.createTempDirectory(parent, "case");
    try (Store store = new Store(folder, shape, settings)) {
      for (Step step : steps) {
        step.work.in(store);
      }
      return null;
    } catch (AssertionError | RuntimeException e) {
      return e;
    } finally {
      Folders.delete(folder);
    }
  }

  @Override
  public String toString() {
    return shape + "\n" + settings + "\n" + steps.stream().map(Step::text).collect(Collectors.joining("\n"));
  }

  static ReadsCase random(long seed) {
    Random random = new Random(seed);
    Shape shape =
        new Shape(oneOf(random, Order.values()), oneOf(random, Kind.values()), oneOf(random, Merging.values()),
            random.nextBoolean());
    return new Draw(random, Keys.random(random), shape).all();
  }

  private static <T> T oneOf(Random random, T[] all) {
    return all[random.nextInt(all.length)];
  }

  /** Draws the steps. */
  private record Draw(Random random, Keys keys, Shape shape) {
    private static final int STEPS = 60;

    ReadsCase all() {
      Settings settings = Settings.random(random);
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < STEPS; i++) {
        steps.add(step());
      }
      return new ReadsCase(shape, settings, steps);
    }

    private Step step() {
      int kind = random.nextInt(100);
      if (kind < 25) {
        List<Write> writes = writes();
        boolean asBatch = random.nextInt(3) == 0;
        return new Step((asBatch ? "batch " : "") + writes, store -> store.write(writes, asBatch));
      }
      if (kind < 65) {
        return read();
      }
      return kind < 80 ? overlay() : upkeep();
    }

    private List<Write> writes() {
      return Stream.generate(this::write).limit(1 + random.nextInt(6)).toList();
    }

    private Write write() {
      boolean merged = shape.merging() != Merging.NONE && random.nextInt(3) == 0;
      byte[] value = new byte[random.nextInt(12) == 0 ? 3000 : random.nextInt(20)];
      random.nextBytes(value);
      return new Write(keys.next(random), random.nextInt(5) == 0 ? null : value, merged);
    }

    private Step read() {
      View view = random.nextInt(3) == 0 ? View.LATEST : oneOf(random, View.values());
      boolean isCopy = view.compareTo(View.READ_ONLY) >= 0;
      if (isCopy && random.nextInt(6) > 0) {
        return read(); // takes long
      }
      int which = random.nextInt(10);
      List<Query> queries = Stream.generate(() -> Query.random(random, keys)).limit(isCopy ? 10 : 2).toList();
      return new Step(view + " " + which + " " + queries, store -> store.read(view, which, queries));
    }

    private Step overlay() {
      List<Write> writes = writes();
      boolean whether = random.nextBoolean();
      return switch (random.nextInt(8)) {
        case 0 -> new Step("begin, snapshot " + whether, store -> store.begin(whether));
        case 1 -> new Step("commit", Store::commit);
        case 2 -> new Step("set a save point, or return to it", Store::savePoint);
        case 3 -> new Step("end the indexed batch, write " + whether, store -> store.endBatch(whether));
        case 4, 5 -> new Step("indexed batch " + writes, store -> store.writeInBatch(writes));
        default -> new Step("transaction " + writes, store -> store.writeInTransaction(writes));
      };
    }

    private Step upkeep() {
      switch (random.nextInt(11)) {
        case 0:
          return new Step("compact", store -> store.maintain(keys -> keys.compact(KeyRange.all())));
        case 1:
          var changed = Settings.live(random);
          return new Step("set " + changed, store -> store.maintain(keys -> keys.setOptions(changed)));
        case 2:
          Settings settings = Settings.random(random);
          return new Step("open with " + settings, store -> store.reopen(settings));
        case 3:
          return new Step("snapshot", Store::takeSnapshot);
        case 4, 5:
          RangeOfRows range = RangeOfRows.random(random, keys);
          boolean asBatch = random.nextBoolean();
          return new Step("delete " + range.range(), store -> store.deleteRange(range, asBatch));
        default:
          return new Step("flush", store -> store.maintain(KeySpace::flush));
      }
    }
  }

  /** Returns a case without some of the steps or settings, in which a read still fails. */
  ReadsCase shrink(Path parent, long end) throws IOException {
    ReadsCase smallest = this;
    for (int part = steps.size() / 2; part > 0; part /= 2) {
      for (int from = 0; from < smallest.steps.size() && System.nanoTime() < end; ) {
        ReadsCase smaller = new ReadsCase(shape, smallest.settings, without(smallest.steps, from, part));
        boolean fails = smaller.failure(parent) != null;
        smallest = fails ? smaller : smallest;
        from += fails ? 0 : part;
      }
    }
    for (int from = 0; from < smallest.settings.all().size() && System.nanoTime() < end; ) {
      Settings fewer = new Settings(without(smallest.settings.all(), from, 1));
      ReadsCase smaller = new ReadsCase(shape, fewer, smallest.steps);
      boolean fails = smaller.failure(parent) != null;
      smallest = fails ? smaller : smallest;
      from += fails ? 0 : 1;
    }
    return smallest;
  }

  private static <T> List<T> without(List<T> all, int from, int count) {
    List<T> fewer = new ArrayList<>(all);
    fewer.subList(from, Math.min(all.size(), from + count)).clear();
    return fewer;
  }
}
