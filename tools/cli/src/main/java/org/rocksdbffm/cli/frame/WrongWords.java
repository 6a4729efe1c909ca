/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.rocksdbffm.internal.options.table.NearestName;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains an invalid command line, and suggests the intended word. */
final class WrongWords {
  private WrongWords() {}

  static String in(ParameterException e) {
    String wrong = wrong(e);
    return wrong + (wrong.endsWith("?") ? "" : ";") + " --help shows how";
  }

  private static String wrong(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched, command);
    }
    if (e.getArgSpec() != null && e.getArgSpec().completionCandidates() != null && e.getValue() != null) {
      List<String> words = new ArrayList<>();
      e.getArgSpec().completionCandidates().forEach(words::add);
      return "'" + e.getValue() + "' is none of " + String.join(", ", words) + NearestName.advice(e.getValue(), words);
    }
    return e.getMessage();
  }

  private static String unknown(UnmatchedArgumentException e, CommandSpec command) {
    String word = e.getUnmatched().getFirst();
    String subject = command.parent() == null ? "there is no" : "'" + command.name() + "' has no";
    if (e.isUnknownOption()) {
      return subject + " option '" + word + "'" + NearestName.advice(word, command.optionsMap().keySet());
    }
    Collection<String> commands = command.subcommands().keySet();
    return commands.isEmpty()
        ? "'" + command.name() + "' takes no further argument: '" + word + "'"
        : subject + " command '" + word + "'" + NearestName.advice(word, commands);
  }
}
