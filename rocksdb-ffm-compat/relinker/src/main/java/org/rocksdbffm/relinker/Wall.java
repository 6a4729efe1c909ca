/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.List;
import java.util.Set;

/**
 * Adds an inlining barrier to a method. A get in the drop-in consists of eight kilobytes of bytecode, which the JVM's
 * compilers would compile again for each caller, for its callers, and so on, in the first seconds of a program. HotSpot
 * inlines hot methods up to 325 bytes, so this adds unreachable instructions to exceed the limit.
 */
final class Wall {
  static final int BYTES = 326;

  /** rocksdbjni's classes whose methods execute much code, with callers all over a program. */
  private static final Set<ClassDesc> LONG_WAYS =
      Set.of(
          ClassDesc.of("org.rocksdb.AbstractWriteBatch"),
          ClassDesc.of("org.rocksdb.OptimisticTransactionDB"),
          ClassDesc.of("org.rocksdb.RocksDB"),
          ClassDesc.of("org.rocksdb.Transaction"),
          ClassDesc.of("org.rocksdb.TransactionDB"),
          ClassDesc.of("org.rocksdb.TtlDB"));

  private static final ClassDesc ANNOTATION = Bodies.glue("support.CompiledApart");

  /** The class whose constructor registers an object for leak detection; its other methods are short. */
  private static final ClassDesc OBJECT = ClassDesc.of("org.rocksdb.RocksObject");

  private Wall() {}

  /** Whether rocksdbjni's constructor gets a barrier. */
  static boolean isBeforeConstructor(ClassModel upstream, MethodModel method) {
    return method.methodName().equalsString(ConstantDescs.INIT_NAME) && upstream.thisClass().asSymbol().equals(OBJECT);
  }

  static boolean isBefore(ClassModel upstream) {
    return LONG_WAYS.contains(upstream.thisClass().asSymbol());
  }

  /** Whether a glue method has the annotation for a barrier. */
  static boolean isBefore(MethodModel glue) {
    return glue.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(attribute -> attribute.annotations().stream())
        .map(Annotation::classSymbol)
        .anyMatch(ANNOTATION::equals);
  }

  static boolean isBeforeAnyOf(List<MethodModel> glue) {
    return glue.stream().anyMatch(Wall::isBefore);
  }

  /** Adds the instructions after the end of a method. */
  static CodeTransform build() {
    return new CodeTransform() {
      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }

      @Override
      public void atEnd(CodeBuilder code) {
        for (int i = 0; i < BYTES; i++) {
          code.nop();
        }
        code.aconst_null().athrow();
      }
    };
  }
}
