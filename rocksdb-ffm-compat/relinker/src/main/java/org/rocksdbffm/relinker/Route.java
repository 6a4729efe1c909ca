/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.List;
import java.util.Set;

/** The target that a method is linked to. */
sealed interface Route {
  /** Where the row is, for messages. */
  String where();

  /** A C function of the engine; the order tells, for each C parameter, which Java one it gets. */
  record ToC(String where, String function, List<Integer> order) implements Route {}

  /** A static method of the glue. */
  record ToGlue(String where, Target target) implements Route {}

  /** The entry point that the engine exports for this very method, which has no use for a {@code JNIEnv}. */
  record ToEntryPoint(String where) implements Route {}

  /** The entry point that the engine exports for this very method, which is given a {@code JNIEnv} of upcalls. */
  record ToEnvironment(String where) implements Route {}

  /** Nothing that could do it; the reason is told to whoever calls it. */
  record ToNothing(String where, String reason) implements Route {}

  /** A static method of the glue in place of upstream's Java, not of a native method. */
  record Instead(String where, Target target) implements Route {}

  /**
   * A static method by the simple name of its class, and the arguments that it gets. Without any it gets all parameters
   * in their order, behind the receiver if it wants that.
   */
  record Target(String type, String method, List<Argument> arguments) {}

  /** An argument that a row passes to glue. */
  sealed interface Argument {
    /** The object whose method was called. */
    record Receiver() implements Argument {}

    /** A parameter of the method, by its number. */
    record Parameter(int index) implements Argument {}

    /** The same in each call: a number, a truth value, {@code null}, or the name of a constant of an enum of the glue. */
    record Constant(String text) implements Argument {
      boolean isNull() {
        return text.equals("null");
      }

      /** Whether it can be of a type; which constants an enum has, the glue knows. */
      boolean fits(ClassDesc type) {
        boolean isNumber = text.matches("-?[0-9]+");
        boolean isTruth = text.equals("true") || text.equals("false");
        if (type.isPrimitive()) {
          return isNumber && NUMBERS.contains(type) || isTruth && type.equals(ConstantDescs.CD_boolean);
        }
        return !isNumber && !isTruth;
      }

      void push(CodeBuilder code, ClassDesc type) {
        switch (type.descriptorString()) {
          case "J" -> code.loadConstant(Long.parseLong(text));
          case "I", "B" -> code.loadConstant(Integer.parseInt(text));
          case "Z" -> code.loadConstant(text.equals("true") ? 1 : 0);
          default -> {
            if (isNull()) {
              code.aconst_null();
            } else {
              code.getstatic(type, text, type);
            }
          }
        }
      }
    }

    Set<ClassDesc> NUMBERS = Set.of(ConstantDescs.CD_byte, ConstantDescs.CD_int, ConstantDescs.CD_long);

    static Argument parse(String where, String word) {
      if (word.equals("this")) {
        return new Receiver();
      }
      if (word.startsWith("=") && word.length() > 1) {
        return new Constant(word.substring(1));
      }
      try {
        return new Parameter(Integer.parseUnsignedInt(word));
      } catch (NumberFormatException e) {
        throw new RelinkException(
            where + ": an argument is the number of a parameter, 'this' or '=' and a constant, not " + word);
      }
    }
  }
}
