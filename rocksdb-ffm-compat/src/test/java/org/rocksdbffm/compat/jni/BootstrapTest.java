/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** Links functions immediately, which programs link at their first call. */
class BootstrapTest {
  private static final ClassDesc LINK = ClassDesc.of("org.rocksdbffm.compat.jni.Bootstrap");
  private static final ClassDesc SHARED = ClassDesc.of("org.rocksdbffm.compat.jni.SharedDowncalls");

  @Test
  void everyFunctionThatIsCalledIsInTheEngine() throws IOException {
    List<String> missing = new ArrayList<>();
    int linked = 0;
    int found = 0;
    try (Stream<Path> files = Files.walk(Path.of("target/classes"))) {
      for (Path file : files.filter(its -> its.toString().endsWith(".class")).toList()) {
        ClassModel user = ClassFile.of().parse(file);
        for (InvokeDynamicInstruction call : callsOf(user)) {
          MethodType type =
              MethodType.fromMethodDescriptorString(call.type().stringValue(), BootstrapTest.class.getClassLoader());
          try {
            Downcalls.link(call.name().stringValue(), asLinked(call, type));
            linked++;
          } catch (RuntimeException | LinkageError e) {
            missing.add(call.name().stringValue() + ": " + e.getMessage());
          }
        }
        for (String function : functionsOf(user)) {
          try {
            NativeLibrary.find(function);
            found++;
          } catch (RuntimeException | LinkageError e) {
            missing.add(function + ": " + e.getMessage());
          }
        }
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(linked > 1000, "only " + linked);
    assertTrue(found > 200, "only " + found);
  }

  /** Returns the functions that glue calls by dynamic constants. */
  private static List<String> functionsOf(ClassModel type) {
    return type.methods().stream()
        .flatMap(method -> method.code().stream())
        .flatMap(code -> code.elementStream())
        .filter(ConstantInstruction.LoadConstantInstruction.class::isInstance)
        .map(load -> ((ConstantInstruction.LoadConstantInstruction) load).constantValue())
        .filter(DynamicConstantDesc.class::isInstance)
        .map(constant -> (DynamicConstantDesc<?>) constant)
        .filter(constant -> constant.bootstrapMethod().owner().equals(SHARED))
        .map(DynamicConstantDesc::constantName)
        .toList();
  }

  private static MethodType asLinked(InvokeDynamicInstruction call, MethodType type) {
    return call.bootstrapMethod().methodName().equals("environment") ? EntryPoint.lowered(type) : type;
  }

  private static List<InvokeDynamicInstruction> callsOf(ClassModel type) {
    List<InvokeDynamicInstruction> calls = new ArrayList<>();
    type.methods().stream()
        .flatMap(method -> method.code().stream())
        .forEach(
            code ->
                code.elementStream()
                    .filter(InvokeDynamicInstruction.class::isInstance)
                    .map(InvokeDynamicInstruction.class::cast)
                    .filter(call -> call.bootstrapMethod().owner().equals(LINK))
                    .forEach(calls::add));
    return calls;
  }
}
