/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.jmh.run.report.Machine;

/** A JSON file of results, with the machine on which they were measured. */
record ProgramFile(Path path) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The content of the file. */
  record Content(Machine machine, List<ProgramResult> results) {}

  void write(Content content) throws IOException {
    ObjectMapper indented = MAPPER.copy().enable(SerializationFeature.INDENT_OUTPUT);
    List<String> lines = new ArrayList<>();
    for (ProgramResult result : content.results()) {
      lines.add(MAPPER.writeValueAsString(result));
    }
    Files.writeString(
        path,
        "{\"machine\":%s,\n\"results\":[\n%s\n]}\n"
            .formatted(indented.writeValueAsString(content.machine()), String.join(",\n", lines)));
  }

  Content read() throws IOException {
    try {
      return MAPPER.readValue(path.toFile(), Content.class);
    } catch (JsonProcessingException e) {
      throw new IOException(path + " has no results of ./bench programs: " + e.getOriginalMessage(), e);
    }
  }
}
