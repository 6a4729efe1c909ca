/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.docs;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.rocksdbffm.shape.CompiledClasses;
import org.rocksdbffm.tools.ChildJvm;

/**
 * The Java code of a documentation page, as programs. A block with a {@code main} is a program; all other blocks of a
 * page form one program, in their order. A {@code text} block is the output of the Java block before it; a Java block
 * without a {@code text} block prints nothing. A program may end with an exception, of which the page shows the first
 * line, with files in {@code /tmp}.
 */
final class MarkdownProgram {
  private static final String FENCE = "```";

  /** The import of programs on {@code org.rocksdb}, which the drop-in's tests run. */
  private static final String OTHER_BINDING = "import org.rocksdb.";

  private static final String END_OF_BLOCK = "-- end of line ";

  private final Path page;
  private final List<Block> blocks = new ArrayList<>();

  /** A block of Java code, its line on the page, and its output on the page. */
  private static final class Block {
    final int line;
    final String code;
    String output = "";

    Block(int line, String code) {
      this.line = line;
      this.code = code;
    }

    boolean isProgram() {
      return code.contains("void main(");
    }

    boolean throwsIt() {
      return output.startsWith("Exception in thread");
    }

    String marker() {
      return END_OF_BLOCK + line;
    }
  }

  MarkdownProgram(Path page) {
    this.page = page;
    try {
      parse(Files.readAllLines(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void parse(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith(FENCE)) {
        continue;
      }
      String language = lines.get(i).substring(FENCE.length());
      int first = i + 1;
      do {
        i++;
      } while (!lines.get(i).equals(FENCE));
      String text = String.join("\n", lines.subList(first, i)) + "\n";
      if (language.equals("java") && !text.contains(OTHER_BINDING)) {
        blocks.add(new Block(first, text));
      } else if (language.equals("text")) {
        blocks.getLast().output = text;
      }
    }
  }

  int blockCount() {
    return blocks.size();
  }

  /** Returns the output that the page shows for its programs, in the order of the blocks. */
  String expectedOutput() {
    StringBuilder output = new StringBuilder();
    ordered().forEach(block -> output.append(block.output).append(block.marker()).append('\n'));
    return output.toString();
  }

  /** Runs each program in a separate JVM with the class path of a user, and returns their output. */
  String run(Path folder) throws IOException {
    StringBuilder output = new StringBuilder();
    List<Block> together = new ArrayList<>();
    for (Block block : blocks) {
      if (block.isProgram()) {
        String printed = run(folder, "Program" + block.line, block.code, block.throwsIt() ? 1 : 0);
        output.append(block.throwsIt() ? firstLine(printed) : printed).append(block.marker()).append('\n');
      } else {
        together.add(block);
      }
    }
    return together.isEmpty() ? output.toString() : output + run(folder, "Page", inOne(together), 0);
  }

  private List<Block> ordered() {
    List<Block> ordered = new ArrayList<>(blocks.stream().filter(Block::isProgram).toList());
    blocks.stream().filter(block -> !block.isProgram()).forEach(ordered::add);
    return ordered;
  }

  private String inOne(List<Block> together) {
    StringBuilder imports = new StringBuilder("import org.rocksdbffm.*;\n");
    StringBuilder body = new StringBuilder();
    for (Block block : together) {
      body.append("// ").append(page.getFileName()).append(", line ").append(block.line).append('\n');
      for (String line : block.code.split("\n")) {
        (line.startsWith("import ") ? imports : body).append(line).append('\n');
      }
      body.append("IO.println(\"").append(block.marker()).append("\");\n");
    }
    return imports + "void main() throws Exception {\n" + body + "}\n";
  }

  private static String firstLine(String printed) {
    return printed.lines().findFirst().orElse("").replaceAll(" /\\S*/", " /tmp/") + "\n";
  }

  private static String run(Path folder, String name, String source, int exit) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    compile(file, folder);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      return ChildJvm.of(loader.loadClass(name)).run().assertExit(exit).output();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static void compile(Path file, Path folder) throws IOException {
    StringWriter messages = new StringWriter();
    PrintWriter writer = new PrintWriter(messages);
    int failed =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                writer,
                writer,
                "-Xlint:all,-restricted",
                "-Werror",
                "-cp",
                CompiledClasses.root().toString(),
                "-d",
                folder.toString(),
                file.toString());
    if (failed != 0) {
      throw new AssertionError(messages + "\n" + Files.readString(file));
    }
  }
}
