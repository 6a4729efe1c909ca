/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.DeprecatedAttribute;
import java.lang.classfile.attribute.ExceptionsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Adds members of older releases to rocksdbjni's classes, as javac would have compiled them. Later weaving treats added
 * and published members alike.
 */
final class OlderWriter {
  /** The annotation of added members, with the last release that had the member. */
  private static final ClassDesc MARK = Bodies.glue("older.LastIn");

  private static final ClassDesc EXCEPTION = ClassDesc.of("org.rocksdb.RocksDBException");
  private static final RuntimeVisibleAnnotationsAttribute DEPRECATED =
      RuntimeVisibleAnnotationsAttribute.of(Annotation.of(ClassDesc.of("java.lang.Deprecated")));

  private final OlderMembers table;
  private final ClassTree classes;
  private final Glue glue;
  private final Report report;
  private final ClassFile classFile;
  private final Set<OlderMembers.Row> added = new HashSet<>();

  OlderWriter(OlderMembers table, ClassTree classes, Glue glue, Report report) {
    this.table = table;
    this.classes = classes;
    this.glue = glue;
    this.report = report;
    this.classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(classes.resolver()));
  }

  /** Returns a class with its older members; the class itself if none. */
  ClassModel with(ClassModel type) {
    List<OlderMembers.Row> rows = table.of(type.thisClass().asSymbol());
    added.addAll(rows);
    return rows.isEmpty() ? type : classFile.parse(classFile.transformClass(type, new Additions(type, rows)));
  }

  /** Records an error for each row whose class is not published. */
  void checkAllAdded() {
    table.rows().stream()
        .filter(row -> !added.contains(row) && !(row.fate() instanceof OlderMembers.Fate.Written))
        .forEach(row -> report.attempt(() -> {
          throw row.fails("there is no such class");
        }));
  }

  private static RuntimeInvisibleAnnotationsAttribute mark(OlderMembers.Row row) {
    return RuntimeInvisibleAnnotationsAttribute.of(
        Annotation.of(MARK, AnnotationElement.ofString("value", row.release())));
  }

  /** The members to add to one class. */
  private final class Additions implements ClassTransform {
    private final ClassModel type;
    private final ClassDesc name;
    private final List<OlderMembers.Row> constants;
    private final List<OlderMembers.Row> methods;
    private final OlderBodies bodies;

    Additions(ClassModel type, List<OlderMembers.Row> rows) {
      this.type = type;
      this.name = type.thisClass().asSymbol();
      this.bodies = new OlderBodies(type, classes, glue, report);
      List<OlderMembers.Row> additions = rows.stream().filter(row -> report.attempt(() -> requireNew(row))).toList();
      this.constants = additions.stream().filter(OlderMembers.Row::isConstant).toList();
      this.methods = additions.stream().filter(row -> !row.isConstant()).toList();
    }

    private void requireNew(OlderMembers.Row row) {
      boolean isThere = row.isConstant()
          ? type.fields().stream().anyMatch(field -> field.fieldName().equalsString(row.member().name()))
          : type.methods().stream().anyMatch(method -> Published.method(type, method).equals(row.member()));
      if (isThere) {
        throw row.fails("the published release has it");
      }
    }

    @Override
    public void accept(ClassBuilder builder, ClassElement element) {
      CodeTransform change = element instanceof MethodModel method && method.code().isPresent() ? change(method) : null;
      if (change == null) {
        builder.with(element);
      } else {
        builder.transformMethod((MethodModel) element, MethodTransform.transformingCode(change));
      }
    }

    /** Returns the transform of a rocksdbjni method; null if unchanged. */
    private CodeTransform change(MethodModel method) {
      if (!constants.isEmpty() && method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)) {
        return OlderConstants.of(type, constants);
      }
      boolean startsObjects = method.methodName().equalsString(ConstantDescs.INIT_NAME)
          && method.code().orElseThrow().elementStream().noneMatch(this::isConstructorOfSameClass);
      return startsObjects ? OlderProperty.starting(table, name, method.methodTypeSymbol()) : null;
    }

    private boolean isConstructorOfSameClass(CodeElement element) {
      return element instanceof InvokeInstruction call
          && call.name().equalsString(ConstantDescs.INIT_NAME)
          && call.owner().asSymbol().equals(name);
    }

    @Override
    public void atEnd(ClassBuilder builder) {
      int constant = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL | ClassFile.ACC_ENUM;
      constants.forEach(row ->
          builder.withField(row.member().name(), name, field ->
              field.withFlags(constant).with(DeprecatedAttribute.of()).with(DEPRECATED).with(mark(row))));
      OlderProperty.of(table, name).forEach(property ->
          builder.withField(OlderProperty.field(property.name()), property.type(), ClassFile.ACC_SYNTHETIC));
      methods.forEach(row -> report.attempt(() -> {
        builder.withMethod(row.member().name(), row.type(), flags(row), method -> add(method, row));
        bridges(row).forEach(bridge ->
            builder.withMethodBody(
                row.member().name(),
                bridge,
                ClassFile.ACC_PUBLIC | ClassFile.ACC_BRIDGE | ClassFile.ACC_SYNTHETIC,
                code -> bodies.writeBridge(code, row)));
      }));
    }

    private void add(MethodBuilder method, OlderMembers.Row row) {
      method.with(DeprecatedAttribute.of()).with(DEPRECATED).with(mark(row));
      if (row.modifiers().contains("throws")) {
        method.with(ExceptionsAttribute.ofSymbols(EXCEPTION));
      }
      if (row.fate() instanceof OlderMembers.Fate.Declared && row.type().returnType().equals(name)) {
        method.with(SignatureAttribute.of(ofTypeParameter(row.type())));
      }
      if (row.signature() != null) {
        method.with(SignatureAttribute.of(MethodSignature.parseFrom(row.signature())));
      }
      method.withCode(code -> bodies.write(code, row));
    }

    private static int flags(OlderMembers.Row row) {
      return (row.modifiers().contains("protected") ? ClassFile.ACC_PROTECTED : ClassFile.ACC_PUBLIC)
          | (row.modifiers().contains("synthetic") ? ClassFile.ACC_SYNTHETIC : 0)
          | (row.isStatic() ? ClassFile.ACC_STATIC : 0);
    }

    /** Returns a signature whose result is the interface's type parameter, as in rocksdbjni's option interfaces. */
    private MethodSignature ofTypeParameter(MethodTypeDesc descriptor) {
      String parameter = type.findAttribute(Attributes.signature()).orElseThrow().asClassSignature()
          .typeParameters().getFirst().identifier();
      return MethodSignature.parseFrom(descriptor.descriptorString().replaceFirst("\\).*", ")T" + parameter + ";"));
    }

    /** Returns the types of the same method in implemented interfaces, if the result type differs. */
    private List<MethodTypeDesc> bridges(OlderMembers.Row row) {
      return classes.interfaces(name).stream()
          .flatMap(implemented -> table.of(implemented).stream())
          .filter(other -> other.member().name().equals(row.member().name()))
          .map(OlderMembers.Row::type)
          .filter(other -> other.parameterList().equals(row.type().parameterList()) && !other.equals(row.type()))
          .toList();
    }
  }
}
