/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountTableTest {
  private static final MountTable TABLE =
      new MountTable(
          List.of(
              "/dev/vda / ext4 rw,relatime 0 0",
              "tmpfs /tmp tmpfs rw,nosuid,noexec 0 0",
              "tmpfs /tmp/run tmpfs rw 0 0",
              "tmpfs /my\\040home tmpfs rw,noexec 0 0",
              "tmpfs /over tmpfs rw,noexec 0 0",
              "tmpfs /over tmpfs rw 0 0"));

  @ParameterizedTest
  @CsvSource({
    "/home/me, false",
    "/tmp/x, true",
    "/tmpfile, false",
    "/tmp/run/x, false",
    "/my home/x, true",
    "/over/x, false",
  })
  void theInnermostAndLastMountCounts(Path path, boolean noexec) {
    assertEquals(noexec, TABLE.has("noexec", path));
  }

  @Test
  void withoutATableNothingIsKnown() {
    assertEquals(false, new MountTable(List.of()).has("noexec", Path.of("/tmp")));
  }
}
