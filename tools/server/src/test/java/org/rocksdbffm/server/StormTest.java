/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.RocksDb;

/** Tests that no value stays pinned, and no buffer is leaked, whichever way clients disconnect. */
class StormTest {
  private static final int REQUESTS = System.getProperty("rocksdbffm.sweep") == null ? 500 : 5_000;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void clientsThatGoLeaveNothingPinned(Transport transport) throws Exception {
    storm(transport, false);
  }

  @ParameterizedTest
  @EnumSource
  void clientsThatGoWhileTheDatabaseIsClosedLeaveNothingPinned(Transport transport) throws Exception {
    storm(transport, true);
    RocksDb.open(folder).close();
  }

  private void storm(Transport transport, boolean close) throws Exception {
    assumeTrue(transport.isAvailable());
    Storm.fill(folder);
    try (var netty = new NettyWarnings();
        Server server = new Server(ServerOptions.of(folder).with(transport))) {
      var storm = new Storm(server, REQUESTS, 1);
      storm.run(close ? server.store()::close : () -> {});
      assertEquals(0, server.pins());
      assertTrue(storm.answered() > 0);
      assertEquals(List.of(), netty.all());
    }
  }
}
