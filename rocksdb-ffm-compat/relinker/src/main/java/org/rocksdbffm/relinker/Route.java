/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.List;
import java.util.Set;

/** The target of a method. */
sealed interface Route {
  /** Returns the row's location, for messages. */
  String where();

  /** A C function. {@code order} has the index of a Java parameter for each C parameter. */
  record ToC(String where, String function, List<Integer> order) implements Route {}

  /** A static glue method. */
  record ToGlue(String where, Target target) implements Route {}

  /** RocksDB's JNI entry point for the method, without a {@code JNIEnv}. */
  record ToEntryPoint(String where) implements Route {}

  /** RocksDB's JNI entry point for the method, with a {@code JNIEnv} made of upcalls. */
  record ToEnvironment(String where) implements Route {}

  /** No target: the method throws an exception with the reason. */
  record ToNothing(String where, String reason) implements Route {}

  /** A static glue method instead of a Java method of rocksdbjni. */
  record Instead(String where, Target target) implements Route {}

  /**
   * A static method, by the simple name of its class, and its arguments. Without arguments, it gets all parameters in
   * order, optionally after the receiver.
   */
  record Target(String type, String method, List<Argument> arguments) {}

  /** An argument for a glue method. */
  sealed interface Argument {
    /** The object whose method was called. */
    record Receiver() implements Argument {}

    /** A parameter of the method, by index. */
    record Parameter(int index) implements Argument {}

    /** A constant: a number, a boolean, {@code null}, or the name of a constant in a glue enum. */
    record Constant(String text) implements Argument {
      boolean isNull() {
        return text.equals("null");
      }

      /** Whether the constant may have a type. {@link Glue} checks the constants of enums. */
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
