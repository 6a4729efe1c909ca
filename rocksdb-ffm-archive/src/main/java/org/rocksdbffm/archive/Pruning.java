/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Deletes the objects that no kept state needs, after an entry that names them. Used once. */
final class Pruning {
  private static final int PAGE = 1000;

  private final Chain chain;
  private final Archive.Policy policy;
  private final long now;
  private final NavigableMap<Long, BaseFiles> kept = new TreeMap<>(); // bases by index
  private final List<Long> olderKept = new ArrayList<>(); // bases without later states
  private final Set<String> condemned = new TreeSet<>();
  private long firstKept;

  Pruning(Chain chain, Archive.Policy policy, long now) {
    this.chain = chain;
    this.policy = policy;
    this.now = now;
  }

  Archive.Pruned run() throws IOException {
    long end = chain.end(0);
    Entry newest = end == 0 ? null : chain.require(end);
    Bases bases = newest == null ? null : new Bases(chain, end);
    if (bases == null || bases.indexes().isEmpty()) {
      return new Archive.Pruned(0, 0, 0);
    }
    NavigableSet<Long> all = new TreeSet<>(bases.indexes());
    choose(all, bases.firstKept());
    long bytes = condemn(all.last());
    if (condemned.isEmpty()) {
      return new Archive.Pruned(kept.size(), 0, 0);
    }
    String id = "prune-" + UUID.randomUUID();
    Writer writer = new Writer(chain, id, newest, System::currentTimeMillis, this::keep);
    Entry entry =
        writer.append(
            Entry.Kind.PRUNE, -1, () -> Entry.compressed(new Prune(firstKept, olderKept, condemned)::write));
    chain.startAt(firstKept);
    for (String name : Prune.read(entry).condemned()) {
      chain.attempts().run(() -> {
        chain.store().delete(name);
        return null;
      });
    }
    return new Archive.Pruned(kept.size(), condemned.size(), bytes);
  }

  /**
   * Chooses the bases to keep: all bases since the newest one that is older than {@code allStates}, and the newest of
   * each interval before it.
   *
   * @param lastKept the index from which on earlier prunes have deleted no entry
   */
  private void choose(NavigableSet<Long> bases, long lastKept) throws IOException {
    long from = bases.ceiling(lastKept);
    for (long base : bases.tailSet(from)) {
      from = ageOf(base) >= TimeUnit.MILLISECONDS.convert(policy.allStates()) ? base : from;
    }
    for (long base : bases.tailSet(from)) {
      kept.put(base, BaseFiles.read(chain.require(base)));
    }
    firstKept = kept.values().stream().mapToLong(BaseFiles::firstEntry).min().orElse(from);
    long interval = Long.MIN_VALUE;
    for (long base : bases.headSet(from, false).descendingSet()) {
      long number = chain.require(base).head().millis() / TimeUnit.MILLISECONDS.convert(policy.between());
      if (number != interval && ageOf(base) < TimeUnit.MILLISECONDS.convert(policy.basesFor())) {
        interval = number;
        kept.put(base, BaseFiles.read(chain.require(base)));
        olderKept.addFirst(base);
      }
    }
  }

  private long ageOf(long base) throws IOException {
    return Math.max(0, now - chain.require(base).head().millis()); // the clock may have been set back
  }

  /** Condemns the objects that no kept base needs; returns their size. */
  private long condemn(long newestBase) throws IOException {
    Set<String> needed = new TreeSet<>();
    kept.values().forEach(base -> base.files().forEach(file -> needed.add(file.object())));
    long bytes = 0;
    for (ObjectStore.Item item : items(Upload.FILES)) {
      boolean isOlder = Upload.number(item.name()) < newestBase; // a newer one may belong to a base that is being made
      if (!needed.contains(item.name()) && isOlder) {
        condemned.add(item.name());
        bytes += item.size();
      }
    }
    for (long base : kept.keySet()) {
      needed.add(Chain.name(chain.require(base).head().line())); // it names the writer that may continue
    }
    for (ObjectStore.Item item : items(Chain.LOG)) {
      long index = Chain.index(item.name());
      boolean isNeeded = index < 0 || index >= firstKept || needed.contains(item.name());
      if (!isNeeded && olderKept.stream().noneMatch(base -> kept.get(base).firstEntry() <= index && index <= base)) {
        condemned.add(item.name());
        bytes += item.size();
      }
    }
    return bytes;
  }

  private List<ObjectStore.Item> items(String prefix) throws IOException {
    List<ObjectStore.Item> items = new ArrayList<>();
    String after = "";
    while (true) {
      String start = after;
      List<ObjectStore.Item> page = chain.attempts().run(() -> chain.store().list(prefix, start, PAGE));
      if (page.isEmpty()) {
        return items;
      }
      items.addAll(page);
      after = page.getLast().name();
    }
  }

  /** Keeps the files of a base that the archiver has stored since the newest entry was read. */
  private void keep(Entry other) throws IOException {
    if (other.head().kind() == Entry.Kind.PRUNE) {
      throw new IOException("another process prunes the archive: prune it again later");
    }
    if (other.head().kind() == Entry.Kind.BASE) {
      BaseFiles.read(other).files().forEach(file -> condemned.remove(file.object()));
    }
  }
}
