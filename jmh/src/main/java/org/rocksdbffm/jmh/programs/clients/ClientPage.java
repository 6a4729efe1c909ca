/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.jmh.run.report.Blocks;
import org.rocksdbffm.jmh.run.report.Machine;

/** The blocks of the page with the phases of clients. */
record ClientPage(ClientFile.Content content) {
  /**
   * Writes the page with filled blocks; called by {@code ./bench pages}.
   *
   * @param arguments the file of results, the page, and the page to write
   */
  public static void main(String[] arguments) throws IOException {
    ClientPage page = new ClientPage(new ClientFile(Path.of(arguments[0])).read());
    Files.writeString(Path.of(arguments[2]), page.fill(Files.readString(Path.of(arguments[1]))));
  }

  /** Returns the text with the blocks of clients filled with the results. */
  String fill(String text) {
    return Blocks.filled(text, (kind, argument) -> kind.equals("clients") ? block(argument) : null);
  }

  private String block(String argument) {
    return switch (argument) {
      case "phases" -> ClientPhase.table(content.phases(), List.of());
      case "machine" -> machine();
      default -> throw new IllegalArgumentException("The page has no block 'clients " + argument + "'");
    };
  }

  private String machine() {
    Machine machine = content.machine();
    return "%s, %d cores, %s, commit %s, `%s`, %d rounds, %s.\n"
        .formatted(
            machine.processor(),
            machine.processors(),
            machine.jdk(),
            machine.commit(),
            machine.command(),
            machine.rounds(),
            machine.date());
  }
}
