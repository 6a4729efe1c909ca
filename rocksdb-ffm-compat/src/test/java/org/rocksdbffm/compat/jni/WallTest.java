/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdbffm.compat.lifetime.Closing;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.support.Scratch;

/** Tests which methods the JVM's compilers do not inline. */
class WallTest {
  /** The limit of the current JVM for inlining hot methods, in bytes of bytecode. */
  private static final int COPIED =
      Integer.parseInt(
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("FreqInlineSize").getValue());

  private static List<MethodModel> methods(Class<?> type, Predicate<MethodModel> which) throws IOException {
    try (InputStream bytes = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
      ClassModel model = ClassFile.of().parse(bytes.readAllBytes());
      List<MethodModel> found = model.methods().stream().filter(which).toList();
      assertFalse(found.isEmpty(), type.getName());
      return found;
    }
  }

  private static void assertApart(List<MethodModel> methods) {
    List<String> copied =
        methods.stream()
            .filter(its -> ((CodeAttribute) its.code().orElseThrow()).codeLength() <= COPIED)
            .map(its -> its.methodName().stringValue() + its.methodType().stringValue())
            .toList();
    assertEquals(List.of(), copied, "methods of up to " + COPIED + " bytes");
  }

  private static boolean announces(MethodModel method) {
    return !method.methodName().equalsString("<init>")
        && method.code().stream()
            .flatMap(its -> its.elementStream())
            .anyMatch(its ->
                its instanceof InvokeInstruction call
                    && call.owner().asInternalName().endsWith("lifetime/Guard")
                    && call.name().equalsString("leave"));
  }

  @ParameterizedTest
  @ValueSource(classes = {RocksDB.class, Transaction.class, TransactionDB.class})
  void methodsThatComeToTheEngineByALongWayAreCompiledApart(Class<?> type) throws IOException {
    assertApart(methods(type, WallTest::announces));
  }

  @Test
  void theStepsOfThatWayAreCompiledApartToo() throws IOException {
    assertApart(methods(Guard.class, its -> List.of("use", "leave").contains(its.methodName().stringValue())));
    assertApart(
        methods(
            Closing.class,
            its -> its.methodType().equalsString("(Lorg/rocksdb/AbstractImmutableNativeReference;)V")
                && its.methodName().equalsString("close")));
    assertApart(
        methods(
            Scratch.class,
            its -> its.methodName().equalsString("enter") && its.methodType().stringValue().startsWith("([B")));
  }

  @Test
  void theStepsOfAnIteratorAreCopied() throws IOException {
    List<MethodModel> steps = methods(RocksIterator.class, its -> its.methodName().equalsString("key"));
    assertFalse(steps.stream().allMatch(its -> ((CodeAttribute) its.code().orElseThrow()).codeLength() > COPIED));
  }
}
