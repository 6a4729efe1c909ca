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
import java.util.List;
import java.util.Set;

/**
 * Keeps the JVM's compilers from copying a method into its callers. A get of the drop-in comes to eight kilobytes of
 * bytecode, which they would compile anew for the method that calls it, for the one that calls that, and so on, in the
 * first seconds of a program. HotSpot copies a method that is called often if it has up to 325 bytes, so a method gets
 * as many behind its end, where nothing ever comes.
 */
final class Wall {
  static final int BYTES = 326;

  /** Upstream's classes whose methods come to the engine by a long way, from many places of a program. */
  private static final Set<ClassDesc> LONG_WAYS =
      Set.of(
          ClassDesc.of("org.rocksdb.OptimisticTransactionDB"),
          ClassDesc.of("org.rocksdb.RocksDB"),
          ClassDesc.of("org.rocksdb.Transaction"),
          ClassDesc.of("org.rocksdb.TransactionDB"),
          ClassDesc.of("org.rocksdb.TtlDB"));

  private static final ClassDesc ANNOTATION = Bodies.glue("support.CompiledApart");

  private Wall() {}

  static boolean isBefore(ClassModel upstream) {
    return LONG_WAYS.contains(upstream.thisClass().asSymbol());
  }

  /** Whether a method of the glue asks for one. */
  static boolean isBefore(MethodModel glue) {
    return glue.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(its -> its.annotations().stream())
        .map(Annotation::classSymbol)
        .anyMatch(ANNOTATION::equals);
  }

  static boolean isBeforeAnyOf(List<MethodModel> glue) {
    return glue.stream().anyMatch(Wall::isBefore);
  }

  /** Puts the bytes behind the end of a method. */
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
