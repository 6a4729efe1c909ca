/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts the objects that were stored, and the requests that failed. */
final class CountingStore implements ObjectStore {
  private final ObjectStore store;
  private final LongAdder objects = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();

  CountingStore(ObjectStore store) {
    this.store = store;
  }

  /** Returns the number of stored objects. */
  long objects() {
    return objects.sum();
  }

  /** Returns the size of the stored objects. */
  long bytes() {
    return bytes.sum();
  }

  /** Returns the number of failed requests. */
  long failures() {
    return failures.sum();
  }

  private <T> T counted(Attempts.Request<T> request) throws IOException {
    try {
      return request.run();
    } catch (IOException e) {
      failures.increment();
      throw e;
    }
  }

  @Override
  public boolean putIfAbsent(String name, Content content) throws IOException {
    boolean isStored = counted(() -> store.putIfAbsent(name, content));
    if (isStored) {
      objects.increment();
      bytes.add(content.size());
    }
    return isStored;
  }

  @Override
  public InputStream get(String name, long from) throws IOException {
    return counted(() -> store.get(name, from));
  }

  @Override
  public List<Item> list(String prefix, String after, int most) throws IOException {
    return counted(() -> store.list(prefix, after, most));
  }

  @Override
  public void delete(String name) throws IOException {
    counted(() -> {
      store.delete(name);
      return null;
    });
  }

  @Override
  public void close() {
    store.close();
  }
}
