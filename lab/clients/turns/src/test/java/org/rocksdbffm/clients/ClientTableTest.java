/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientTableTest {
  private static final Path CLIENTS = Path.of("..");
  private static final String EMPTY = "<!-- clients -->\n| client | version | rocksdbjni |\n|--|--|--|\n<!-- end -->\n";

  @TempDir Path folder;

  @Test
  void thePageHasTheClientsThatHaveAModule() throws IOException {
    Set<String> clients = new TreeSet<>();
    for (String module : found(CLIENTS.resolve("pom.xml"), "module")) {
      clients.addAll(found(CLIENTS.resolve(module).resolve("pom.xml"), "client.name"));
    }
    assertEquals(clients, new ClientTable(CLIENTS.resolve("../../docs/drop-in-reference.md")).clients());
  }

  private static List<String> found(Path pom, String element) throws IOException {
    return Pattern.compile("<" + element + ">(.+?)</" + element + ">")
        .matcher(Files.readString(pom))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void aRowThatIsMissingOrOldFailsUntilItIsWritten() throws IOException {
    ClientTable table = new ClientTable(Files.writeString(folder.resolve("page.md"), "before\n" + EMPTY + "after\n"));
    AssertionError missing = assertThrows(AssertionError.class, () -> table.require(List.of("Two", "1", "9"), false));
    assertEquals(
        table.page() + " has not the row | Two | 1 | 9 |; -Dclients.write=true writes it", missing.getMessage());
    table.require(List.of("Two", "1", "9"), true);
    table.require(List.of("one", "3", "9"), true);
    table.require(List.of("Two", "2", "9"), true);
    table.require(List.of("Two", "2", "9"), false);
    assertThrows(AssertionError.class, () -> table.require(List.of("Two", "1", "9"), false));
    String rows = EMPTY.replace("<!-- end", "| one | 3 | 9 |\n| Two | 2 | 9 |\n<!-- end");
    assertEquals("before\n" + rows + "after\n", Files.readString(table.page()));
  }
}
