/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.clients;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.jmh.run.report.Machine;

/** A JSON file of clients' phases, a line for each, with the machine on which they were measured. */
record ClientFile(Path path) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The content of the file. */
  record Content(Machine machine, List<ClientPhase> phases) {}

  void write(Content content) throws IOException {
    List<String> lines = new ArrayList<>();
    for (ClientPhase phase : content.phases()) {
      lines.add(MAPPER.writeValueAsString(phase));
    }
    Files.writeString(
        path,
        "{\"machine\":%s,\n\"phases\":[\n%s\n]}\n"
            .formatted(MAPPER.writeValueAsString(content.machine()), String.join(",\n", lines)));
  }

  Content read() throws IOException {
    try {
      return MAPPER.readValue(path.toFile(), Content.class);
    } catch (JsonProcessingException e) {
      throw new IOException(path + " has no results of ./bench clients: " + e.getOriginalMessage(), e);
    }
  }
}
