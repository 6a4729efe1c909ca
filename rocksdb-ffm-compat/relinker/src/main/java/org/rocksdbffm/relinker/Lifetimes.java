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
 * The table of lifetimes: for a method of upstream's, what it means for how long the objects live that it is about. A
 * row is a verb, a class, a method and a descriptor.
 */
final class Lifetimes {
  /** The meanings of a method for the lifetimes of the objects that it is given. */
  enum Verb {
    /** A constructor: its first argument closes this object before itself. */
    CHILD,
    /** A setter: the engine goes on to point at the argument, so it is destroyed after this object. */
    KEEPS,
    /** A setter: whoever uses this object uses the argument too, and neither outlives its close. */
    USES,
    /** This object points at whatever the arguments point at. */
    INHERITS,
    /** The result points at whatever the arguments point at. */
    RESULT_INHERITS,
    /** The result lives in this object. */
    LENDS,
    /** The result is closed before this object. */
    BEARS,
    /** The engine goes on to point, from the result, at the first argument. */
    RESULT_KEEPS,
    /** The result takes over the iterators among the arguments. */
    RESULT_TAKES,
    /** The short loans of this object end. */
    ENDS,
    /** This batch may have nothing in it any more, and so may be of another database than before. */
    EMPTIES,
    /** The last argument is a child of this object, which makes it anew: its short loans end. */
    RENEWS,
    /** May be called while another thread is in a method of this object, if that serves one thread at a time. */
    SHARES,
    /** May be given objects of several databases at once, which are otherwise refused. */
    MIXES,
    /** The result goes on to point at the column families among the arguments, which are destroyed after it. */
    RESULT_KEEPS_FAMILIES,
    /** The engine calls it: what it is given and makes is of no use any more when it returns. */
    CALLBACK,
    /** A constructor: callbacks that are given this object's pointer mean this object. */
    OPENED,
    /** A constructor of a slice: its bytes are not its own. */
    SHOWS,
    /** This transaction is built of the argument, a batch, which must name families that there are. */
    REBUILDS,
    /** This transaction promises that it can be committed later. */
    PREPARES,
    /** These options have a table or a memtable of a kind from now on. */
    CONFIGURES,
    /** The argument is the handle for methods that name no family: replaced by the engine's own handle. */
    DEFAULTS,
    /** Not of a method but of a field: what is put there is closed with this object. */
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
        if (words.length != 4 || Arrays.stream(Verb.values()).noneMatch(its -> spelled(its).equals(words[0]))) {
          throw new RelinkException("in " + file.getFileName() + " this is no row: " + row);
        }
        rows.computeIfAbsent(new Method(words[1], words[2], words[3]), its -> EnumSet.noneOf(Verb.class))
            .add(Arrays.stream(Verb.values()).filter(its -> spelled(its).equals(words[0])).findFirst().orElseThrow());
      }
    }
    return new Lifetimes(rows);
  }

  private static String spelled(Verb verb) {
    return verb.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  /** The method's meanings, of which there may be none. */
  Set<Verb> of(ClassModel type, MethodModel method) {
    return of(Published.method(type, method));
  }

  /** Whether what is put into a field is closed with the object whose field it is. */
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

  /** Throws if a row is about a method that there is not. */
  void requireAllMet() {
    List<String> idle =
        rows.keySet().stream().filter(row -> !met.contains(row)).map(row -> "lifetimes: there is no " + row).toList();
    if (!idle.isEmpty()) {
      throw new RelinkException(String.join("\n  ", idle));
    }
  }
}
