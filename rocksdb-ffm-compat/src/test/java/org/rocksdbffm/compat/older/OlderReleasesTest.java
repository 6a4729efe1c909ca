/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table of members matches the published jars of the older releases, which {@code -Polder-releases} downloads. */
@EnabledIfSystemProperty(named = "older.releases", matches = ".+")
class OlderReleasesTest {
  private static final Path JARS = Path.of(System.getProperty("older.releases", ""));

  @Test
  void theTableHasAllThatIsGoneAndTheLastReleaseThatHadIt() throws IOException {
    PublicMembers upstream = PublicMembers.of(Path.of(System.getProperty("rocksdbjni.jar")));
    Map<String, String> freed = new TreeMap<>();
    for (String release : OlderTable.RELEASES) {
      PublicMembers older = PublicMembers.of(JARS.resolve("rocksdbjni-" + release + ".jar"));
      for (String member : older.members().keySet()) {
        int end = member.lastIndexOf('.', member.indexOf(' '));
        String type = member.substring(0, end);
        String name = member.substring(end + 1);
        boolean isOfClassThatIsGone = !upstream.types().containsKey(type);
        if (isOfClassThatIsGone ? name.equals("class -") : !upstream.resolves(type, name)) {
          freed.put(member, release);
        }
      }
    }
    assertEquals(
        new TreeMap<>(
            OlderTable.rows().stream().collect(Collectors.toMap(OlderTable.Row::key, OlderTable.Row::release))),
        freed);
  }
}
