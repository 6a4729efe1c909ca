/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.archive.ObjectStore;

/** Counts the requests to a store, and the bytes that are sent. */
record RequestCount(ObjectStore store, AtomicLong requests, AtomicLong bytes) implements ObjectStore {
  RequestCount(ObjectStore store) {
    this(store, new AtomicLong(), new AtomicLong());
  }

  /** Returns the requests and the bytes since the last call. */
  Sent take() {
    return new Sent(requests.getAndSet(0), bytes.getAndSet(0));
  }

  /** Requests, or files, and their bytes. */
  record Sent(long count, long bytes) {}

  @Override
  public boolean putIfAbsent(String name, Content content) throws IOException {
    requests.incrementAndGet();
    bytes.addAndGet(content.size());
    return store.putIfAbsent(name, content);
  }

  @Override
  public InputStream get(String name, long from) throws IOException {
    requests.incrementAndGet();
    return store.get(name, from);
  }

  @Override
  public List<Item> list(String prefix, String after, int most) throws IOException {
    requests.incrementAndGet();
    return store.list(prefix, after, most);
  }

  @Override
  public void delete(String name) throws IOException {
    requests.incrementAndGet();
    store.delete(name);
  }

  @Override
  public void close() {
    store.close();
  }
}
