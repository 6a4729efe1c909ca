/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.File;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.MetadataStore;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.MetadataStoreFactory;

/** The metadata of a standalone broker: a tree of versioned nodes, changed in transactions. */
final class Pulsar {
  private static final int NODES = 2000;

  private Pulsar() {}

  public static void main(String[] arguments) throws Exception {
    try (MetadataStore store = open()) {
      for (int node = 0; node < NODES; node++) {
        store.put(path(node), ("value " + node).getBytes(), Optional.of(-1L)).join();
      }
      for (int node = 0; node < NODES; node += 2) {
        store.put(path(node), ("changed " + node).getBytes(), Optional.of(0L)).join();
      }
      failures(store);
      read("filled", store);
      for (int node = 0; node < NODES; node += 5) {
        store.delete(path(node), Optional.empty()).join();
      }
      store.deleteRecursive("/tenant-3").join();
      read("deleted", store);
    }
    try (MetadataStore store = open()) {
      read("reopened", store);
    }
    System.exit(0); // its thread pools are never shut down
  }

  private static MetadataStore open() throws Exception {
    return MetadataStoreFactory.create(
        "rocksdb:" + new File("metadata").getAbsolutePath(), MetadataStoreConfig.builder().fsyncEnable(false).build());
  }

  private static void failures(MetadataStore store) {
    try {
      store.put(path(1), new byte[1], Optional.of(7L)).join();
    } catch (CompletionException e) {
      Answers.say("version", e.getCause().getClass().getSimpleName());
    }
    try {
      store.delete("/none", Optional.empty()).join();
    } catch (CompletionException e) {
      Answers.say("none", e.getCause().getClass().getSimpleName());
    }
  }

  private static void read(String step, MetadataStore store) {
    Answers answers = new Answers();
    for (int tenant = 0; tenant < 10; tenant++) {
      for (String child : store.getChildren("/tenant-" + tenant).join()) {
        GetResult node = store.get("/tenant-" + tenant + "/" + child).join().orElseThrow();
        answers.row(child, new String(node.getValue()), node.getStat().getVersion());
      }
    }
    answers.row(store.exists(path(1)).join(), store.exists(path(5)).join(), store.getChildren("/").join());
    answers.end(step);
  }

  private static String path(int node) {
    return "/tenant-" + node % 10 + "/topic-" + node;
  }
}
