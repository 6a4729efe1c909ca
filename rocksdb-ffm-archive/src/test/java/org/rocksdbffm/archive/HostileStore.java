/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;

/** A store that fails before or after a request takes effect, runs requests twice, and returns stale lists. */
class HostileStore implements ObjectStore {
  private final ObjectStore store;
  private final Random random;
  private final int oneIn;

  HostileStore(ObjectStore store, long seed, int oneIn) {
    this.store = store;
    this.random = new Random(seed);
    this.oneIn = oneIn;
  }

  private synchronized boolean happens() {
    return random.nextInt(oneIn) == 0;
  }

  private void mayFail(String when) throws IOException {
    if (happens()) {
      throw new IOException("the connection was closed " + when);
    }
  }

  @Override
  public boolean putIfAbsent(String name, Content content) throws IOException {
    mayFail("before a put");
    boolean isStored = store.putIfAbsent(name, content);
    if (happens()) {
      isStored = store.putIfAbsent(name, content); // the network repeated the request, and the second response arrived
    }
    mayFail("after a put");
    return isStored;
  }

  @Override
  public InputStream get(String name, long from) throws IOException {
    mayFail("before a get");
    return store.get(name, from);
  }

  @Override
  public List<Item> list(String prefix, String after, int most) throws IOException {
    mayFail("before a list");
    List<Item> items = store.list(prefix, after, most);
    return happens() ? items.subList(0, items.size() / 2) : items;
  }

  @Override
  public void delete(String name) throws IOException {
    mayFail("before a delete");
    store.delete(name);
    mayFail("after a delete");
  }

  @Override
  public void close() {
    store.close();
  }
}
