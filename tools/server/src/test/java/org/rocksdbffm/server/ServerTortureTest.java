/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs the hostile clients only in {@code .ci/sweeps}, because a server with little memory does not always survive them
 * yet.
 */
class ServerTortureTest {
  @Test
  @EnabledIfSystemProperty(named = "rocksdbffm.sweep", matches = "[0-9]+")
  @EnabledOnOs(OS.LINUX) // the test reads a process's resources from /proc
  void hostileClientsHarmNobody() throws Exception {
    ServerTorture.all(Long.getLong("rocksdbffm.sweep"), 60);
  }
}
