/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The results of a run as a JSON array, with a line for each, and a second file, with the suffix {@code .run.json},
 * about the machine.
 */
public record ResultFile(Path path) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ObjectWriter INDENTED =
      MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

  /** Returns the name without its suffix. */
  public String stem() {
    String name = path.getFileName().toString();
    return name.endsWith(".json") ? name.substring(0, name.length() - ".json".length()) : name;
  }

  private Path runFile() {
    return path.resolveSibling(stem() + ".run.json");
  }

  public void write(List<Result> results, Machine machine) throws IOException {
    Files.writeString(path, results.stream().map(ResultFile::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    Files.writeString(runFile(), INDENTED.writeValueAsString(machine) + "\n");
  }

  private static String json(Result result) {
    try {
      return MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException impossible) {
      throw new AssertionError(impossible);
    }
  }

  public List<Result> read() throws IOException {
    try {
      return List.of(MAPPER.readValue(path.toFile(), Result[].class));
    } catch (JsonProcessingException e) {
      throw new IOException(path + " has no results of ./bench: " + e.getOriginalMessage(), e);
    }
  }

  public Machine readMachine() throws IOException {
    return MAPPER.readValue(runFile().toFile(), Machine.class);
  }
}
