/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodBuilder;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;

/** Rewrites a class: native methods get bodies, and other methods get guards. */
final class ClassWriter {
  /** A class file, with its name in a jar without the extension. */
  record Written(String name, byte[] bytes) {}

  private final Routes routes;
  private final ArgumentTable arguments;
  private final CApi api;
  private final Glue glue;
  private final Report report;
  private final ClassFile classFile;
  private final GuardWeaver guards;
  private final LifetimeWeaver lifetimes;
  private final HiddenMembers hidden;

  ClassWriter(
      Published published,
      Routes routes,
      ArgumentTable arguments,
      Lifetimes lifetimes,
      CApi api,
      Glue glue,
      Report report) {
    this.routes = routes;
    this.arguments = arguments;
    this.api = api;
    this.glue = glue;
    this.report = report;
    ClassTree classes = ClassTree.of(published.types(), glue.types().values());
    this.classFile =
        ClassFile.of(
            ClassHierarchyResolverOption.of(classes.resolver()), StackMapsOption.GENERATE_STACK_MAPS);
    this.guards = new GuardWeaver(classes);
    this.lifetimes = new LifetimeWeaver(lifetimes);
    this.hidden = new HiddenMembers(glue.types().values());
  }

  /** Relinks a published class. */
  Written relinked(ClassModel type) {
    return written(
        type,
        (builder, element) -> {
          if (element instanceof MethodModel method) {
            report.attempt(() -> relinkMethod(builder, type, method));
          } else {
            builder.with(element);
          }
        });
  }

  /**
   * Links a glue class: its native methods are C functions, and its methods may have the annotation for inlining
   * barriers.
   */
  Written linkedGlue(ClassModel type) {
    return written(
        type,
        (builder, element) -> {
          if (element instanceof MethodModel method && Published.isNative(method)) {
            withBody(builder, method, code -> linkGlueNative(code, type, method));
          } else if (element instanceof MethodModel method && Wall.isBefore(method)) {
            builder.transformMethod(method, MethodTransform.transformingCode(Wall.build()));
          } else {
            builder.with(element);
          }
        });
  }

  private Written written(ClassModel type, java.lang.classfile.ClassTransform transform) {
    boolean[] first = {true};
    int errors = report.errors();
    byte[] bytes = classFile.transformClass(type, (builder, element) -> {
      if (first[0]) {
        first[0] = false;
        lifetimes.addFields(builder, type);
        hidden.add(builder, type);
      }
      transform.accept(builder, element);
    });
    if (report.errors() == errors) {
      verify(classFile.parse(bytes));
    }
    return new Written(type.thisClass().asInternalName(), bytes);
  }

  private void verify(ClassModel result) {
    Report.requireNoNative(result);
    List<VerifyError> errors = classFile.verify(result);
    if (!errors.isEmpty()) {
      throw new RelinkException(result.thisClass().asInternalName() + ": " + errors.getFirst().getMessage());
    }
  }

  private void relinkMethod(ClassBuilder builder, ClassModel type, MethodModel method) {
    Method named = Published.method(type, method);
    Route route = routes.rows().get(named);
    if (Disposal.isBy(method)) {
      Disposal.add(
          builder, method, code -> link(code, named, route, method, true, Published.isOverloaded(type, method)));
    }
    if (Published.isNative(method)) {
      if (route == null) {
        throw new RelinkException("no row routes " + named);
      }
      report.linked(named, route);
      ArgumentTable.Row row = arguments.of(named, method.methodTypeSymbol().parameterCount());
      withBody(builder, method, code -> {
        if (row != null) {
          check(code, named, row, method);
        }
        boolean isStatic = method.flags().has(AccessFlag.STATIC);
        link(code, named, route, method, isStatic, Published.isOverloaded(type, method));
      });
    } else if (route instanceof Route.Instead instead) {
      report.linked(named, route);
      boolean isStatic = method.flags().has(AccessFlag.STATIC);
      withBody(builder, method, code -> callGlue(code, named, route, instead.target(), method, isStatic));
    } else if (route != null) {
      throw new RelinkException(route.where() + ": " + named + " is not native");
    } else {
      weave(builder, type, method);
    }
  }

  private void weave(ClassBuilder builder, ClassModel type, MethodModel method) {
    CodeTransform transform = null;
    if (guards.concerns(method)) {
      transform = guards.weave(method, lifetimes.isShared(type, method), lifetimes.mixes(type, method));
      if (Wall.isBefore(type)) {
        transform = transform.andThen(Wall.build());
      }
    }
    CodeTransform lifetime = lifetimes.weave(type, method);
    if (lifetime != null) {
      transform = transform == null ? lifetime : lifetime.andThen(transform);
    }
    if (transform != null && Wall.isBeforeConstructor(type, method)) {
      transform = transform.andThen(Wall.build());
    }
    if (transform == null) {
      builder.with(method);
    } else {
      CodeTransform woven = transform;
      builder.transformMethod(method, MethodTransform.transformingCode(woven));
    }
  }

  /**
   * Gives a method a body. Removes {@code synchronized}, which is rare on native methods: glue locks where it needs to.
   */
  private void withBody(ClassBuilder builder, MethodModel method, java.util.function.Consumer<CodeBuilder> body) {
    builder.withMethod(
        method.methodName(),
        method.methodType(),
        method.flags().flagsMask() & ~(ClassFile.ACC_NATIVE | ClassFile.ACC_SYNCHRONIZED),
        copy -> {
          method.forEach(element -> copyUnlessFlagsOrCode(copy, element));
          copy.withCode(body::accept);
        });
  }

  private static void copyUnlessFlagsOrCode(MethodBuilder builder, MethodElement element) {
    if (!(element instanceof AccessFlags) && !(element instanceof CodeAttribute)) {
      builder.with(element);
    }
  }

  /** Adds the checks of a row in the table of arguments. */
  private void check(CodeBuilder code, Method named, ArgumentTable.Row row, MethodModel method) {
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    MethodTypeDesc type = method.methodTypeSymbol();
    ArgumentChecks.write(code, row, type, isStatic);
    if (row.check() != null) {
      String[] target = row.check().split("\\.");
      MethodTypeDesc found = glue.find(row.where(), target[0], target[1], named.returning("V"), isStatic);
      report.uses(target[0], target[1], found);
      Bodies.checkByGlue(code, glue.type(row.where(), target[0]), target[1], found, type, isStatic);
    }
  }

  private void link(
      CodeBuilder code, Method named, Route route, MethodModel method, boolean isStatic, boolean overloaded) {
    MethodTypeDesc type = method.methodTypeSymbol();
    try {
      switch (route) {
        case Route.ToC c -> Bodies.callC(code, api.function(c.function()), c.order(), isStatic, type);
        case Route.ToEntryPoint entryPoint -> {
          requirePrimitives(type);
          Bodies.callEntryPoint(code, named.entryPoint(overloaded), isStatic, type, false);
        }
        case Route.ToEnvironment environment ->
            Bodies.callWithEnvironment(
                code, named.entryPoint(overloaded), isStatic, ClassDesc.of(named.type()), type);
        case Route.ToGlue to -> callGlue(code, named, route, to.target(), method, isStatic);
        case Route.ToNothing nothing -> Bodies.refuse(code, refusal(named, nothing));
        case Route.Instead instead -> throw new RelinkException("a native method is not replaced but routed");
      }
    } catch (RelinkException e) {
      throw e.getMessage().startsWith(route.where())
          ? e
          : new RelinkException(route.where() + ": " + named + ": " + e.getMessage());
    }
  }

  private void callGlue(
      CodeBuilder code, Method named, Route route, Route.Target target, MethodModel method, boolean isStatic) {
    MethodTypeDesc type = method.methodTypeSymbol();
    ClassDesc owner = glue.type(route.where(), target.type());
    boolean tellsArguments = !target.arguments().isEmpty();
    MethodTypeDesc found = tellsArguments
        ? glue.find(route.where(), target, named, isStatic)
        : glue.find(route.where(), target.type(), target.method(), named, isStatic);
    report.uses(target.type(), target.method(), found);
    if (tellsArguments) {
      Bodies.callGlue(code, owner, target, found, type, isStatic);
    } else {
      Bodies.callGlue(code, owner, target.method(), found, type, isStatic);
    }
  }

  private static String refusal(Method named, Route.ToNothing nothing) {
    return named.type() + "." + named.name() + " is not there in the drop-in: " + nothing.reason();
  }

  private static void requirePrimitives(MethodTypeDesc type) {
    if (!hasPrimitivesOnly(type)) {
      throw new RelinkException("an entry point gets no JNIEnv, so it can neither take nor give objects");
    }
  }

  private static boolean hasPrimitivesOnly(MethodTypeDesc type) {
    return type.returnType().isPrimitive() && type.parameterList().stream().allMatch(ClassDesc::isPrimitive);
  }

  /**
   * Links a native glue method. Its name is a C function, a stub or a JNI entry point, with the same widths. An entry
   * point with objects, or with declared exceptions, gets a {@code JNIEnv}.
   */
  private void linkGlueNative(CodeBuilder code, ClassModel type, MethodModel method) {
    String symbol = method.methodName().stringValue();
    MethodTypeDesc descriptor = method.methodTypeSymbol();
    if (HiddenMembers.reaches(method)) {
      HiddenMembers.link(code, method);
      return;
    }
    if (symbol.startsWith("Java_")) {
      report.entryPointOfGlue(symbol);
      if (hasPrimitivesOnly(descriptor) && method.findAttribute(Attributes.exceptions()).isEmpty()) {
        Bodies.callEntryPoint(code, symbol, true, descriptor, true);
      } else {
        Bodies.callWithEnvironment(code, symbol, true, null, descriptor);
      }
      return;
    }
    Bodies.callFunction(code, symbol, descriptor);
    if (!symbol.startsWith("rocksdb_ffm_")) {
      String expected = api.function(symbol).descriptor();
      String declared = descriptor.descriptorString().replace('Z', 'B');
      if (!declared.equals(expected)) {
        throw new RelinkException(
            "%s declares %s%s, but by its header it is %s"
                .formatted(type.thisClass().asInternalName(), symbol, declared, expected));
      }
    }
  }
}
