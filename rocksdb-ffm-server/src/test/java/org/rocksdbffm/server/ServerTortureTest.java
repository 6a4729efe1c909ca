/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The hostile clients, for a short time; with {@code -Drocksdbffm.server.seconds=24}, because
 * a server with little memory does not always get over them yet.
 */
class ServerTortureTest {
  private static final double SECONDS = Integer.getInteger("rocksdbffm.server.seconds", 24);
  private static final long SEED = Long.getLong("rocksdbffm.server.seed", 1);

  @Test
  @EnabledIfSystemProperty(named = "rocksdbffm.server.seconds", matches = "[0-9]+")
  @EnabledOnOs(OS.LINUX) // whose /proc shows what a process has
  void hostileClientsHarmNobody() throws Exception {
    ServerTorture.all(SEED, SECONDS);
  }
}
