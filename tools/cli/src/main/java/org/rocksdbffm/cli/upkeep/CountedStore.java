/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.archive.ObjectStore;

/** Counts the requests to a store, which show the progress of a call that reads or deletes many objects. */
record CountedStore(ObjectStore store, AtomicLong requests) implements ObjectStore {
  private ObjectStore counted() {
    requests.incrementAndGet();
    return store;
  }

  @Override
  public boolean putIfAbsent(String name, Content content) throws IOException {
    return counted().putIfAbsent(name, content);
  }

  @Override
  public InputStream get(String name, long from) throws IOException {
    return counted().get(name, from);
  }

  @Override
  public List<Item> list(String prefix, String after, int most) throws IOException {
    return counted().list(prefix, after, most);
  }

  @Override
  public void delete(String name) throws IOException {
    counted().delete(name);
  }

  @Override
  public void close() {
    store.close();
  }
}
