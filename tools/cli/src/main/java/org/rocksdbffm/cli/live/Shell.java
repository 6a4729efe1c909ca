/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.live;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.builtins.Completers.FileNameCompleter;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Frame;
import org.rocksdbffm.cli.frame.Output;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads commands from lines, with completion and history. */
@CommandLine.Command(name = "shell",
    description = "Reads commands from lines, with completion and history; 'exit' ends it.")
public final class Shell extends Command {
  private static final String HISTORY = ".rocksdb-ffm-history"; // in the home directory

  @Spec private CommandSpec spec;

  private CommandSpec all;

  @Override
  protected ExitCode run(Output out) throws Exception {
    Frame.Root root = (Frame.Root) spec.root().userObject();
    all = Frame.line(root).getCommandSpec();
    try (Terminal terminal = TerminalBuilder.builder().dumb(true).build()) {
      DefaultParser words = new DefaultParser();
      words.setEscapeChars(null); // a backslash is part of a key
      LineReader reader = LineReaderBuilder.builder()
          .terminal(terminal)
          .parser(words)
          .completer(this::complete)
          .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), HISTORY))
          .build();
      while (true) {
        reader.readLine("rocksdb-ffm> ");
        List<String> line = reader.getParsedLine().words().stream().filter(word -> !word.isEmpty()).toList();
        if (line.equals(List.of("exit"))) {
          return ExitCode.DONE;
        }
        if (!line.isEmpty()) {
          Frame.run(root, new FileOutputStream(FileDescriptor.out), System.err, line.toArray(String[]::new));
        }
      }
    } catch (EndOfFileException | UserInterruptException e) {
      return ExitCode.DONE;
    }
  }

  private void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<CharSequence> words = new ArrayList<>();
    AutoComplete.complete(all, line.words().toArray(String[]::new), line.wordIndex(), 0, line.cursor(), words);
    words.forEach(word -> candidates.add(new Candidate(word.toString())));
    new FileNameCompleter().complete(reader, line, candidates);
  }
}
