/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The table of members that older releases had and the published release lacks. Below a class in brackets, each row
 * names a member, the last release that had it, and its implementation.
 *
 * <pre>
 * [org.rocksdb.Options]
 * setManaged (Z)Lorg/rocksdb/Options;            10.2.1 ignored managed      # a setter; the getter returns the value
 * randomAccessMaxBufferSize ()J                  9.9.3  ignored randomAccessMaxBufferSize =1048576  # with its default
 * setLogger (Lorg/rocksdb/Logger;)V              8.8.1  calls setLogger (Lorg/rocksdb/LoggerInterface;)V 0
 * static throws load (Ljava/lang/String;)V       7.2.2  glue OptionFiles.load 0 =false
 * deleteFile (Ljava/lang/String;)V               9.9.3  refused the reason, and an alternative
 * NO_ITERATORS Lorg/rocksdb/TickerType;          7.2.2  constant TICKER_ENUM_MAX  # has another one's number
 * managed ()Z                                    8.8.1  declared                    # in an interface
 * class -                                        8.8.1  written                     # in Java, next to the glue
 * </pre>
 *
 * A row may list the arguments of the called method: parameters by index, {@code this}, its {@code handle}, and
 * constants. A descriptor may have type parameters. Modifiers precede the member: {@code static}, {@code protected},
 * {@code synthetic} (hidden from compilers), or {@code throws} for a {@code RocksDBException}.
 */
record OlderMembers(List<Row> rows) {
  static final String FILE = "older.members";
  private static final Set<String> MODIFIERS = Set.of("static", "protected", "synthetic", "throws");

  /** A row. The signature is null for a member without type parameters. */
  record Row(String where, Set<String> modifiers, Method member, String signature, String release, Fate fate) {
    boolean isStatic() {
      return modifiers.contains("static");
    }

    boolean isConstant() {
      return fate instanceof Fate.Constant;
    }

    /** Returns the type of a method. */
    MethodTypeDesc type() {
      return MethodTypeDesc.ofDescriptor(member.descriptor());
    }

    ClassDesc owner() {
      return ClassDesc.of(member.type());
    }

    RelinkException fails(String message) {
      return new RelinkException(where + ": " + member + ": " + message);
    }
  }

  /** The implementation of a member. */
  sealed interface Fate {
    /** Does nothing. A setter stores the value in a property, if named, and the getter returns it. */
    record Ignored(String property, String initial) implements Fate {}

    /** Calls another member of the same class. */
    record Calls(String name, String descriptor, List<String> arguments) implements Fate {}

    /** Calls a static glue method. */
    record ToGlue(String type, String method, List<String> arguments) implements Fate {}

    /** Throws an exception with the reason. */
    record Refused(String reason) implements Fate {}

    /** A constant of an enum, with the number of another constant. */
    record Constant(String like) implements Fate {}

    /** An interface method, which the implementing classes have. */
    record Declared() implements Fate {}

    /** A class that is compiled with the glue. */
    record Written() implements Fate {}
  }

  /** Reads the table. A folder without the file has no such members. */
  static OlderMembers read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    List<Row> rows = new ArrayList<>();
    Set<Method> members = new HashSet<>();
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    String type = null;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceAll("(^|\\s)#.*", "").strip();
      if (line.startsWith("[")) {
        type = line.substring(1, line.length() - 1);
      } else if (!line.isEmpty()) {
        Row row = row(FILE + ":" + (i + 1), type, line);
        rows.add(row);
        if (!members.add(row.member())) {
          throw row.fails("has a row already");
        }
      }
    }
    return new OlderMembers(rows);
  }

  List<Row> of(ClassDesc type) {
    return rows.stream().filter(row -> row.owner().equals(type)).toList();
  }

  private static Row row(String where, String type, String line) {
    List<String> words = Arrays.asList(line.split("\\s+"));
    int first = 0;
    while (MODIFIERS.contains(words.get(first))) {
      first++;
    }
    if (type == null || words.size() < first + 4) {
      throw new RelinkException(
          where + ": a row is a member, its descriptor, a release and what becomes of it, below a class in brackets");
    }
    String signature = words.get(first + 1);
    Method member = new Method(type, words.get(first), signature.replaceAll("<.*?>", ""));
    String fate = words.get(first + 3);
    List<String> rest = words.subList(first + 4, words.size());
    return new Row(
        where,
        Set.copyOf(words.subList(0, first)),
        member,
        signature.contains("<") ? signature : null,
        words.get(first + 2),
        fate(where, fate, rest));
  }

  private static Fate fate(String where, String fate, List<String> words) {
    int least = switch (fate) {
      case "calls" -> 2;
      case "glue", "refused", "constant" -> 1;
      default -> 0;
    };
    if (words.size() < least) {
      throw new RelinkException(where + ": '" + fate + "' says more than that");
    }
    return switch (fate) {
      case "ignored" -> new Fate.Ignored(
          words.isEmpty() ? null : words.getFirst(), words.size() < 2 ? null : words.get(1).substring(1));
      case "calls" -> new Fate.Calls(words.get(0), words.get(1), words.subList(2, words.size()));
      case "glue" -> {
        String[] target = words.getFirst().split("\\.");
        if (target.length != 2) {
          throw new RelinkException(where + ": glue is named as Class.method, not " + words.getFirst());
        }
        yield new Fate.ToGlue(target[0], target[1], words.subList(1, words.size()));
      }
      case "refused" -> new Fate.Refused(String.join(" ", words));
      case "constant" -> new Fate.Constant(words.getFirst());
      case "declared" -> new Fate.Declared();
      case "written" -> new Fate.Written();
      default -> throw new RelinkException(where + ": nothing becomes '" + fate + "'");
    };
  }
}
