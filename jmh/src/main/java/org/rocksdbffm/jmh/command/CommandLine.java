/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** The words of a command line: names, switches such as {@code --quick}, and options with a value. */
public final class CommandLine {
  private static final int FAILURE = 1;
  private static final int MISTAKE = 2;

  private final List<String> names = new ArrayList<>();
  private final Map<String, List<String>> values = new HashMap<>();

  /** An invalid command line. */
  public static final class Mistake extends Exception {
    private static final long serialVersionUID = 1;

    public Mistake(String message) {
      super(message);
    }
  }

  /** A program that a command line starts. */
  @FunctionalInterface
  public interface Program {
    /** Runs the program and returns its status. */
    int run(String... words) throws Exception;
  }

  /** Runs a program; exits with 2 for a mistake in the command line, and with 1 if the program fails. */
  public static void run(String usage, Program program, String... words) throws Exception {
    if (List.of(words).contains("--help")) {
      System.out.println(usage);
      return;
    }
    int status;
    try {
      status = program.run(words);
    } catch (Mistake e) {
      System.err.println(e.getMessage() + "\n" + usage);
      status = MISTAKE;
    } catch (IOException e) {
      System.err.println(e.getMessage());
      status = FAILURE;
    }
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Parses words. */
  public static CommandLine parse(Set<String> switches, Set<String> options, String... words) throws Mistake {
    CommandLine line = new CommandLine();
    for (int i = 0; i < words.length; i++) {
      if (switches.contains(words[i])) {
        line.values.put(words[i], List.of());
      } else if (options.contains(words[i])) {
        if (i + 1 == words.length || words[i + 1].startsWith("--")) {
          throw new Mistake(words[i] + " needs an argument");
        }
        line.values.computeIfAbsent(words[i], each -> new ArrayList<>()).add(words[++i]);
      } else if (words[i].startsWith("-")) {
        throw new Mistake("There is no option " + words[i]);
      } else {
        line.names.add(words[i]);
      }
    }
    return line;
  }

  public boolean has(String option) {
    return values.containsKey(option);
  }

  /** Returns all values of an option; empty if it is missing. */
  public List<String> values(String option) {
    return values.getOrDefault(option, List.of());
  }

  public List<String> names() {
    return names;
  }

  /** Returns the elements with the requested names; all elements if no name was given. */
  public <T> List<T> chosen(String kind, List<T> all, BiPredicate<T, String> hasName) throws Mistake {
    for (String name : names) {
      if (all.stream().noneMatch(each -> hasName.test(each, name))) {
        throw new Mistake("There is no " + kind + " " + name);
      }
    }
    return all.stream()
        .filter(each -> names.isEmpty() || names.stream().anyMatch(name -> hasName.test(each, name)))
        .toList();
  }

  /** Returns the number of an option, from 1 to a maximum. */
  public int number(String option, int otherwise, int most) throws Mistake {
    return has(option) ? number(option, values(option).getLast(), most) : otherwise;
  }

  /** Returns the numbers of an option, separated by commas; empty if it is missing. */
  public List<Integer> numbers(String option, int most) throws Mistake {
    List<Integer> numbers = new ArrayList<>();
    if (has(option)) {
      for (String word : values(option).getLast().split(",", -1)) {
        numbers.add(number(option, word.strip(), most));
      }
    }
    return numbers.stream().distinct().sorted().toList();
  }

  private static int number(String option, String word, int most) throws Mistake {
    int number;
    try {
      number = Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw new Mistake(option + ": '" + word + "' is not a number");
    }
    if (number < 1 || number > most) {
      throw new Mistake(option + ": " + number + ", but it takes 1 to " + most);
    }
    return number;
  }

  /** Returns the writable file of an option; null if it is missing. */
  public Path writable(String option) throws Mistake {
    if (!has(option)) {
      return null;
    }
    Path path = Path.of(values(option).getLast()).toAbsolutePath();
    if (Files.isDirectory(path) || !Files.isDirectory(path.getParent())) {
      throw new Mistake(option + ": no file can be written at " + values(option).getLast());
    }
    return path;
  }

  /** Returns the existing file of an option; null if it is missing. */
  public Path readable(String option) throws Mistake {
    if (!has(option)) {
      return null;
    }
    Path path = Path.of(values(option).getLast()).toAbsolutePath();
    if (!Files.isRegularFile(path)) {
      throw new Mistake(option + ": there is no file " + values(option).getLast());
    }
    return path;
  }
}
