/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.AttributedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.compat.older.OlderTable.Row;

/** The table of members of older releases, the classes of the drop-in and the page agree. */
class OlderTableTest {
  private static final Path UPSTREAM = Path.of(System.getProperty("rocksdbjni.jar"));

  /** Whether the member belongs to a class that the table has as one row. False for that row itself. */
  private static boolean isOfWrittenClass(String member) {
    return OlderTable.rows("written").stream().anyMatch(row -> member.startsWith(row.type() + "."))
        && !member.endsWith(".class -");
  }

  @Test
  void theDropInHasTheMembersOfTheTableBesideUpstreamsAndNoOthers() throws IOException {
    Map<String, AttributedElement> added = new TreeMap<>(PublicMembers.of(Path.of("target/classes")).members());
    added.keySet().removeAll(PublicMembers.of(UPSTREAM).members().keySet());
    added.keySet().removeIf(OlderTableTest::isOfWrittenClass);
    assertEquals(
        sorted(OlderTable.rows().stream().map(row -> row.key() + " " + row.release())),
        sorted(added.entrySet().stream().map(its -> its.getKey() + " " + PublicMembers.lastIn(its.getValue()))));
    added.forEach((name, member) -> assertTrue(PublicMembers.isDeprecated(member), name));
  }

  private static String sorted(Stream<String> lines) {
    return lines.sorted().collect(Collectors.joining("\n"));
  }

  @Test
  void theTableIsOfTheReleaseThatIsRelinked() {
    assertTrue(
        UPSTREAM.getFileName().toString().equals("rocksdbjni-" + OlderTable.UPSTREAM + ".jar"),
        "after an upgrade, add the release before it to the table's, and run OlderReleasesTest by -Polder-releases");
  }

  @Test
  void thePageCountsTheRows() throws IOException {
    String page = Files.readString(Path.of("../docs/drop-in-reference.md"));
    List<String> counted =
        Pattern.compile("^\\| (\\d+\\.\\d+\\.\\d+) \\|(.*)\\|$", Pattern.MULTILINE)
            .matcher(page)
            .results()
            .map(its -> its.group(1) + its.group(2).replaceAll("\\s*\\|\\s*|\\s+", " ").stripTrailing())
            .toList();
    assertEquals(OlderTable.RELEASES.stream().map(OlderTableTest::counts).toList(), counted);
  }

  /** Returns how many members of a release were removed, by implementation. */
  private static String counts(String release) {
    List<Row> freed = OlderTable.rows().stream().filter(row -> row.isIn(release)).toList();
    long refused = freed.stream().filter(row -> row.kind().equals("refused")).count();
    return "%s %d %d %d".formatted(release, freed.size(), freed.size() - refused, refused);
  }
}
