/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Runs a command line: the only class that handles exit codes, error messages and closed pipes. */
public final class Frame {
  static final String PROGRAM = "rocksdb-ffm";

  private static final String TERMINAL = "rocksdbffm.cli.terminal"; // set by the launcher

  private static final char LOST = '\ufffd'; // replaces a byte that was not decoded

  private final OutputStream out;
  private final PrintWriter err;
  private final StringWriter help = new StringWriter(); // because picocli ignores output errors

  private Frame(OutputStream out, OutputStream err) {
    this.out = out;
    this.err = new PrintWriter(err, true, StandardCharsets.UTF_8);
  }

  /** The root command, which contains the others. */
  public interface Root {
    /** Returns the classes of the other commands, whose annotations contain the names. */
    List<Class<?>> commands();
  }

  /** Creates a command line. If arguments name a command, only that is added, because reading annotations is slow. */
  public static CommandLine line(Root root, String... arguments) {
    List<Class<?>> named = root.commands()
        .stream()
        .filter(each ->
            arguments.length > 0 && each.getAnnotation(CommandLine.Command.class).name().equals(arguments[0]))
        .filter(each -> each.getPackage() != CommandLine.class.getPackage()) // except help and completion
        .toList();
    CommandLine line = new CommandLine(root);
    (named.isEmpty() ? root.commands() : named).forEach(line::addSubcommand);
    return line;
  }

  /** Runs a command line. */
  public static int run(Root root, OutputStream out, OutputStream err, String... arguments) {
    Frame frame = new Frame(out, err);
    if (Stream.of(arguments).anyMatch(argument -> argument.indexOf(LOST) >= 0)) {
      return frame.failed(
          "an argument has a character that this locale has not: set LC_ALL=C.UTF-8, or write bytes as \\xNN");
    }
    return line(root, arguments)
        .setOut(new PrintWriter(frame.help))
        .setErr(frame.err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler((e, given) -> frame.failed(WrongWords.in(e)))
        .setExecutionStrategy(frame::execute)
        .execute(arguments);
  }

  private int execute(ParseResult parsed) {
    CommandLine last = parsed.asCommandLineList().getLast();
    if (CommandLine.executeHelpRequest(parsed) == null) {
      if (last.getCommand() instanceof Command command) {
        return run(command);
      } else if (last.getCommand() instanceof Runnable other) {
        other.run(); // a command of picocli
      } else {
        throw new ParameterException(last, "a command is missing");
      }
    }
    return run(new Command() {
      @Override
      protected ExitCode run(Output output) {
        output.line(help.toString().stripTrailing());
        return ExitCode.DONE;
      }
    });
  }

  private int run(Command command) {
    try (Output output = new Output(out, command.isJson(), err, Boolean.getBoolean(TERMINAL))) {
      ExitCode code = command.runWithKeys(output);
      output.flush();
      return code.ordinal();
    } catch (Output.Closed e) {
      return ExitCode.DONE.ordinal(); // the reader has closed the pipe
    } catch (UncheckedIOException e) {
      return failed(text(e.getCause()));
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      return failed(shown(text(e)));
    }
  }

  private static String text(Throwable e) {
    boolean saysAll = e.getMessage() != null
        && (e instanceof IllegalArgumentException || e instanceof IllegalStateException || e instanceof Error
            || e.getClass().getName().startsWith("org.rocksdbffm."));
    if (saysAll || e.getClass() == IOException.class) {
      return e.getMessage();
    }
    return switch (e) {
      case FileSystemException file when file.getReason() != null -> file.getMessage();
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      case NoSuchFileException missing -> missing.getFile() + ": no such file";
      case NotDirectoryException file -> file.getFile() + ": no folder";
      default -> e.getClass().getSimpleName() + ": " + e.getMessage();
    };
  }

  /** Returns a message of the library without its advice for programs. */
  public static String shown(String message) {
    return Advice.withoutMethods(message);
  }

  private int failed(String message) {
    err.println(PROGRAM + ": " + RowPrinter.text((Object) message.strip().replaceAll("\\s*\\R\\s*", "; ")));
    return ExitCode.FAILED.ordinal();
  }
}
