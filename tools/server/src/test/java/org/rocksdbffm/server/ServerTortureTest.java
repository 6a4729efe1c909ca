/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The hostile clients, in {@code .ci/sweeps} alone: a server with little memory does not always get over them yet. */
class ServerTortureTest {
  @Test
  @EnabledIfSystemProperty(named = "rocksdbffm.sweep", matches = "[0-9]+")
  @EnabledOnOs(OS.LINUX) // whose /proc shows what a process has
  void hostileClientsHarmNobody() throws Exception {
    ServerTorture.all(Long.getLong("rocksdbffm.sweep"), 60);
  }
}
