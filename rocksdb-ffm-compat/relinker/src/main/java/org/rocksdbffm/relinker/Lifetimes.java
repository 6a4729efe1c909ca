/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table of lifetimes: the effects of rocksdbjni's methods on the lifetimes of objects. A row consists of a verb, a
 * class, a method and a descriptor.
 */
final class Lifetimes {
  /** The effects of a method on the lifetimes of its objects. */
  enum Verb {
    /** A constructor: the first argument closes this object before itself. */
    CHILD,
    /** A setter: the engine continues to point at the argument, so the argument is destroyed after this object. */
    KEEPS,
    /** A setter: users of this object also use the argument, and fail after either is closed. */
    USES,
    /** This object points at everything that the arguments point at. */
    INHERITS,
    /** The result points at everything that the arguments point at. */
    RESULT_INHERITS,
    /** The result is borrowed from this object. */
    LENDS,
    /** The result is closed before this object. */
    BEARS,
    /** The result is replaced by the object that users of this object also use. */
    RESULT_USED,
    /** The result, a slice whose memory another slice owns, is replaced by a slice that owns a copy. */
    RESULT_COPIES,
    /** The engine's object of the result continues to point at the first argument. */
    RESULT_KEEPS,
    /** The result becomes the owner of iterators among the arguments. */
    RESULT_TAKES,
    /** The short loans of this object end. */
    ENDS,
    /** The batch may be empty afterwards, and then belongs to no database. */
    EMPTIES,
    /** The last argument, a child of this object, is reused: its short loans end. */
    RENEWS,
    /** May run concurrently with other methods of an object that serves one thread at a time. */
    SHARES,
    /** Accepts objects of several databases, which other methods reject. */
    MIXES,
    /** The result continues to point at the column families among the arguments, which are destroyed after it. */
    RESULT_KEEPS_FAMILIES,
    /** Called by the engine: arguments, and objects created in the method, are closed when it returns. */
    CALLBACK,
    /** A constructor: callbacks that receive this object's pointer refer to this object. */
    OPENED,
    /** A constructor of a slice that does not own its bytes. */
    SHOWS,
    /** This transaction is rebuilt from the argument, a batch that may contain only existing column families. */
    REBUILDS,
    /** This transaction is prepared, so that a later commit cannot fail. */
    PREPARES,
    /** These options get a table format or memtable type. */
    CONFIGURES,
    /** The argument is the handle for methods without a family argument: replaced by the engine's handle. */
    DEFAULTS,
    /** For a field, not a method: the object in it is closed with this object. */
    OWNS
  }

  private final Map<Method, Set<Verb>> rows;
  private final Set<Method> met = new HashSet<>();

  private Lifetimes(Map<Method, Set<Verb>> rows) {
    this.rows = rows;
  }

  static Lifetimes read(Path file) throws IOException {
    Map<Method, Set<Verb>> rows = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String row = line.replaceAll("#.*", "").strip();
      if (!row.isEmpty()) {
        String[] words = row.split("\\s+");
        if (words.length != 4 || Arrays.stream(Verb.values()).noneMatch(verb -> spelled(verb).equals(words[0]))) {
          throw new RelinkException("in " + file.getFileName() + " this is no row: " + row);
        }
        rows.computeIfAbsent(new Method(words[1], words[2], words[3]), ignored -> EnumSet.noneOf(Verb.class))
            .add(Arrays.stream(Verb.values()).filter(verb -> spelled(verb).equals(words[0])).findFirst().orElseThrow());
      }
    }
    return new Lifetimes(rows);
  }

  private static String spelled(Verb verb) {
    return verb.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  /** Returns the effects of a method, possibly none. */
  Set<Verb> of(ClassModel type, MethodModel method) {
    return of(Published.method(type, method));
  }

  /** Whether the object in a field is closed with the object that has the field. */
  boolean isOwned(FieldInstruction field) {
    return of(
            new Method(
                field.owner().asInternalName().replace('/', '.'),
                field.name().stringValue(),
                field.type().stringValue()))
        .contains(Verb.OWNS);
  }

  private Set<Verb> of(Method named) {
    Set<Verb> verbs = rows.getOrDefault(named, Set.of());
    if (!verbs.isEmpty()) {
      met.add(named);
    }
    return verbs;
  }

  /** Throws if a row matches no method. */
  void requireAllMet() {
    List<String> idle =
        rows.keySet().stream().filter(row -> !met.contains(row)).map(row -> "lifetimes: there is no " + row).toList();
    if (!idle.isEmpty()) {
      throw new RelinkException(String.join("\n  ", idle));
    }
  }
}
