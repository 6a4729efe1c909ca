/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.rhea.client.DefaultRheaKVStore;
import com.alipay.sofa.jraft.rhea.options.PlacementDriverOptions;
import com.alipay.sofa.jraft.rhea.options.RegionEngineOptions;
import com.alipay.sofa.jraft.rhea.options.RheaKVStoreOptions;
import com.alipay.sofa.jraft.rhea.options.RocksDBOptions;
import com.alipay.sofa.jraft.rhea.options.StoreEngineOptions;
import com.alipay.sofa.jraft.rhea.util.Constants;
import com.alipay.sofa.jraft.util.Endpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.clients.Turn;

/**
 * A member of a replicated group, in a separate process and folder. It closes its store and ends when its standard
 * input ends, for example because the parent process was killed.
 */
final class Member {
  /** The file that says whether the member is the leader, and the index of the last applied log entry. */
  static final Path STATE = Path.of("state");

  /** A folder that exists while the member takes a snapshot. */
  static final Path SNAPSHOT_UNDER_WAY = Path.of("raft", "snapshot", "temp");

  private static final int SNAPSHOT_SECONDS = 1;

  private Member() {}

  /** Returns the folder of the database. */
  static Path store(int port) {
    return Path.of("store", "db_-1_" + port);
  }

  /** Arguments: the port, and the endpoints of all members. */
  public static void main(String[] arguments) throws IOException {
    Turn.requireDropIn();
    DefaultRheaKVStore store = new DefaultRheaKVStore();
    if (!store.init(options(Integer.parseInt(arguments[0]), arguments[1]))) {
      System.exit(1); // the member's log contains the reason
    }
    Node node = store.getStoreEngine().getRegionEngine(Constants.DEFAULT_REGION_ID).getNode();
    Thread.ofPlatform().daemon().start(() -> keepState(node));
    System.in.transferTo(OutputStream.nullOutputStream());
    store.shutdown();
    System.exit(0); // its thread pools are never shut down
  }

  private static RheaKVStoreOptions options(int port, String members) {
    RocksDBOptions database = new RocksDBOptions();
    database.setDbPath(store(port).getParent().toString());
    NodeOptions node = new NodeOptions();
    node.setSnapshotIntervalSecs(SNAPSHOT_SECONDS);
    RegionEngineOptions region = new RegionEngineOptions();
    region.setRegionId(Constants.DEFAULT_REGION_ID);
    region.setRaftDataPath("raft");
    region.setNodeOptions(node);
    StoreEngineOptions engine = new StoreEngineOptions();
    engine.setRocksDBOptions(database);
    engine.setServerAddress(new Endpoint("127.0.0.1", port));
    engine.setRegionEngineOptionsList(List.of(region));
    RheaKVStoreOptions options = options(members);
    options.setStoreEngineOptions(engine);
    return options;
  }

  /** Returns the options that members and clients share. */
  static RheaKVStoreOptions options(String members) {
    PlacementDriverOptions driver = new PlacementDriverOptions();
    driver.setFake(true); // no placement driver: one group with known members
    RheaKVStoreOptions options = new RheaKVStoreOptions();
    options.setClusterName("group");
    options.setInitialServerList(members);
    options.setPlacementDriverOptions(driver);
    return options;
  }

  private static void keepState(Node node) {
    String kept = "";
    while (true) {
      String state = node.isLeader(false) + " " + node.getLastAppliedLogIndex();
      if (!state.equals(kept)) {
        replaceState(state);
        kept = state;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static void replaceState(String state) {
    try {
      Path whole = Files.writeString(Path.of("state.new"), state);
      Files.move(whole, STATE, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
