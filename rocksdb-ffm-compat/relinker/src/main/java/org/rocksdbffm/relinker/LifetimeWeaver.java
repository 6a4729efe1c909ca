/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Adds guards to the objects with native pointers, passes closing to the guards, and inserts the calls that
 * lifetimes.txt describes: parents and children, and references between objects.
 */
final class LifetimeWeaver {
  private static final ClassDesc IMMUTABLE = ClassDesc.of("org.rocksdb.AbstractImmutableNativeReference");
  private static final ClassDesc MUTABLE = ClassDesc.of("org.rocksdb.RocksMutableObject");
  private static final ClassDesc GUARD = GuardWeaver.GUARD;

  /** The field that keeps the lender of an object reachable. */
  private static final String ANCHOR = "anchor$";

  /** The classes whose constructors receive or create the native pointer. */
  private static final Set<ClassDesc> POINTING =
      Set.of(
          ClassDesc.of("org.rocksdb.RocksObject"),
          ClassDesc.of("org.rocksdb.RocksCallbackObject"),
          ClassDesc.of("org.rocksdb.RocksMutableObject"));

  /** The suffix of added members. */
  static final String ADDED = "$";

  private static final ClassDesc WOVEN = Bodies.glue("woven.WovenLifetimes");
  private static final ClassDesc MEMBERSHIP = Bodies.glue("membership.Membership");
  private static final ClassDesc FORMATS = Bodies.glue("options.Formats");
  private static final ClassDesc BATCH = ClassDesc.of("org.rocksdb.AbstractWriteBatch");
  private static final ClassDesc DATABASE = ClassDesc.of("org.rocksdb.RocksDB");
  private static final ClassDesc FAMILY = ClassDesc.of("org.rocksdb.ColumnFamilyHandle");
  private static final ClassDesc SLICE = ClassDesc.of("org.rocksdb.Slice");
  private static final ClassDesc FLAG = ClassDesc.of("java.util.concurrent.atomic.AtomicBoolean");
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final MethodTypeDesc ONE_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT);
  private static final MethodTypeDesc TWO_OBJECTS = MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT, OBJECT);

  private final Lifetimes lifetimes;

  LifetimeWeaver(Lifetimes lifetimes) {
    this.lifetimes = lifetimes;
  }

  void addFields(ClassBuilder builder, ClassModel type) {
    ClassDesc name = type.thisClass().asSymbol();
    if (ClassTree.GUARDED.contains(name)) {
      int hidden = ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC; // readable by the glue, and hidden from compilers
      builder.withField(GuardWeaver.FIELD, GUARD, hidden | (name.equals(IMMUTABLE) ? ClassFile.ACC_FINAL : 0));
      builder.withField(ANCHOR, OBJECT, hidden);
    }
  }

  static boolean isAddedField(String name) {
    return name.equals(GuardWeaver.FIELD) || name.equals(ANCHOR);
  }

  boolean isShared(ClassModel type, MethodModel method) {
    return lifetimes.of(type, method).contains(Lifetimes.Verb.SHARES);
  }

  boolean mixes(ClassModel type, MethodModel method) {
    return lifetimes.of(type, method).contains(Lifetimes.Verb.MIXES);
  }

  /** Returns the transform of a method; null if the method stays unchanged. */
  CodeTransform weave(ClassModel type, MethodModel method) {
    if (method.code().isEmpty()) {
      return null;
    }
    ClassDesc name = type.thisClass().asSymbol();
    String methodName = method.methodName().stringValue();
    if (methodName.equals(ConstantDescs.INIT_NAME) && (ClassTree.GUARDED.contains(name) || POINTING.contains(name))) {
      return atReturn((code, end) -> {
        if (ClassTree.GUARDED.contains(name)) {
          makeGuard(code, name);
        }
        if (POINTING.contains(name)) {
          watch(code, name);
        }
      });
    }
    if (methodName.equals("closeE")) {
      return closing();
    }
    if (methodName.equals("close")) {
      return closing().andThen(withoutAsking());
    }
    Stream<CodeTransform> meanings = lifetimes.of(type, method).stream().map(verb -> meaning(verb, methodName, method));
    Stream<CodeTransform> owning = hasOwned(method) ? Stream.of(owning()) : Stream.empty();
    return Stream.concat(owning, meanings).reduce(CodeTransform::andThen).orElse(null);
  }

  private boolean hasOwned(MethodModel method) {
    return method.code().orElseThrow().elementStream().anyMatch(this::isOwnedPut);
  }

  private boolean isOwnedPut(CodeElement element) {
    return element instanceof FieldInstruction field
        && field.opcode() == Opcode.PUTFIELD
        && lifetimes.isOwned(field);
  }

  /** Makes each object that a constructor stores in an owned field a child of the constructed object. */
  private CodeTransform owning() {
    return (code, element) -> {
      code.with(element);
      if (isOwnedPut(element)) {
        FieldInstruction field = (FieldInstruction) element;
        code.aload(0)
            .dup()
            .getfield(field.owner().asSymbol(), field.name().stringValue(), field.typeSymbol())
            .invokestatic(WOVEN, "owns", TWO_OBJECTS);
      }
    };
  }

  private static void makeGuard(CodeBuilder code, ClassDesc owner) {
    code.aload(0)
        .new_(GUARD)
        .dup()
        .aload(0)
        .invokespecial(GUARD, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT))
        .putfield(owner, GuardWeaver.FIELD, GUARD);
  }

  /**
   * Passes the pointer to the guard at the end of the constructor, before other code can use the object. The pointer is
   * 0 without a native object.
   */
  private static void watch(CodeBuilder code, ClassDesc type) {
    ClassDesc owner = type.equals(MUTABLE) ? MUTABLE : IMMUTABLE;
    code.aload(0)
        .getfield(owner, GuardWeaver.FIELD, GUARD)
        .aload(0)
        .getfield(type, GuardWeaver.POINTER, ConstantDescs.CD_long)
        .invokestatic(GUARD, "made", MethodTypeDesc.of(ConstantDescs.CD_void, GUARD, ConstantDescs.CD_long));
  }

  private static CodeTransform meaning(Lifetimes.Verb verb, String methodName, MethodModel method) {
    MethodTypeDesc type = method.methodTypeSymbol();
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    return switch (verb) {
      case CHILD -> atReturn((code, end) -> code.aload(1).aload(0).invokestatic(WOVEN, "adopts", TWO_OBJECTS));
      case KEEPS -> atReturn((code, end) ->
          forEachObject(type, isStatic, slot ->
              code.aload(0)
                  .ldc(slot == 1 ? methodName : methodName + slot)
                  .aload(slot)
                  .invokestatic(
                      WOVEN,
                      "keeps",
                      MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT, ConstantDescs.CD_String, OBJECT))));
      case USES -> atReturn((code, end) -> code.aload(0).aload(1).invokestatic(WOVEN, "uses", TWO_OBJECTS));
      case INHERITS -> atReturn((code, end) ->
          forEachObject(type, isStatic, slot ->
              code.aload(0).aload(slot).invokestatic(WOVEN, "inherits", TWO_OBJECTS)));
      case RESULT_INHERITS -> atReturn((code, end) ->
          forEachObject(type, isStatic, slot ->
              code.dup().aload(slot).invokestatic(WOVEN, "inherits", TWO_OBJECTS)));
      case BEARS -> atReturn((code, end) ->
          code.dup().aload(0).swap().invokestatic(WOVEN, "adopts", TWO_OBJECTS));
      case RESULT_USED -> atReturn((code, end) ->
          code.pop()
              .aload(0)
              .invokestatic(WOVEN, "usedWith", MethodTypeDesc.of(OBJECT, OBJECT))
              .checkcast(type.returnType()));
      case RESULT_COPIES -> atReturn((code, end) ->
          code.invokestatic(WOVEN, "copyOf", MethodTypeDesc.of(SLICE, SLICE)));
      case RESULT_KEEPS -> atReturn((code, end) ->
          code.dup()
              .ldc(methodName)
              .aload(isStatic ? 0 : 1)
              .invokestatic(
                  WOVEN,
                  "keeps",
                  MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT, ConstantDescs.CD_String, OBJECT)));
      case RESULT_KEEPS_FAMILIES -> atReturn((code, end) ->
          forEachFamily(type, isStatic, slot ->
              code.dup()
                  .ldc("family")
                  .aload(slot)
                  .invokestatic(
                      WOVEN,
                      "keeps",
                      MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT, ConstantDescs.CD_String, OBJECT))));
      case OWNS -> throw new RelinkException("lifetimes: a method owns nothing, a field does: " + methodName);
      case LENDS -> atReturn((code, end) -> code.dup().aload(0).invokestatic(WOVEN, "lends", TWO_OBJECTS));
      case RESULT_TAKES ->
          atStart(code -> forEachObject(type, isStatic, slot ->
                  code.aload(slot).invokestatic(WOVEN, "mayTakeOver", ONE_OBJECT)))
              .andThen(atReturn((code, end) -> forEachObject(type, isStatic, slot ->
                  code.dup().aload(slot).invokestatic(WOVEN, "takesOver", TWO_OBJECTS))));
      case ENDS -> atReturn((code, end) -> code.aload(0).invokestatic(WOVEN, "ends", ONE_OBJECT));
      case CONFIGURES -> atReturn((code, end) ->
          code.aload(0).aload(1).invokestatic(FORMATS, "configured", TWO_OBJECTS));
      case DEFAULTS -> atStart(LifetimeWeaver::takeEnginesDefault);
      case EMPTIES -> atReturn((code, end) ->
          code.aload(0).invokestatic(MEMBERSHIP, "emptied", MethodTypeDesc.of(ConstantDescs.CD_void, BATCH)));
      case REBUILDS ->
          atStart(code -> code.aload(0).aload(1).invokestatic(WOVEN, "mayRebuild", TWO_OBJECTS));
      case PREPARES -> atStart(code -> code.aload(0).invokestatic(WOVEN, "mayPrepare", ONE_OBJECT));
      case RENEWS ->
          atStart(code -> code.aload(0).aload(lastSlot(type)).invokestatic(WOVEN, "mayRenew", TWO_OBJECTS))
              .andThen(atReturn((code, end) -> code.dup().invokestatic(WOVEN, "ends", ONE_OBJECT)));
      case CALLBACK -> new CallbackWeaver(type);
      case OPENED -> atReturn((code, end) ->
          code.aload(0)
              .invokestatic(WOVEN, "opened", ONE_OBJECT));
      case SHOWS -> atReturn((code, end) ->
          code.aload(0).iconst_1().putfield(SLICE, "cleared", ConstantDescs.CD_boolean));
      case SHARES, MIXES -> CodeTransform.ACCEPT_ALL; // used by GuardWeaver
    };
  }

  /** Returns the slot of the last parameter, for an instance method whose last parameter is an object. */
  private static int lastSlot(MethodTypeDesc type) {
    return type.parameterList().stream().mapToInt(parameter -> TypeKind.from(parameter).slotSize()).sum();
  }

  private static CodeTransform atStart(Consumer<CodeBuilder> emitter) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        emitter.accept(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    };
  }

  /**
   * Replaces the argument, a family handle whose owner may close it at any time, by the engine's own handle, unless it
   * is that handle.
   */
  private static void takeEnginesDefault(CodeBuilder code) {
    code.aload(0)
        .aload(1)
        .invokestatic(WOVEN, "isEnginesDefault", MethodTypeDesc.of(ConstantDescs.CD_boolean, OBJECT, OBJECT))
        .ifThen(
            Opcode.IFEQ,
            block ->
                block
                    .aload(0)
                    .invokevirtual(DATABASE, "makeDefaultColumnFamilyHandle", MethodTypeDesc.of(FAMILY))
                    .astore(1));
  }

  private interface SlotAction {
    void on(int slot);
  }

  private static void forEachObject(MethodTypeDesc type, boolean isStatic, SlotAction action) {
    forEach(type, isStatic, parameter -> !parameter.isPrimitive(), action);
  }

  private static void forEachFamily(MethodTypeDesc type, boolean isStatic, SlotAction action) {
    forEach(type, isStatic, FAMILY::equals, action);
  }

  private static void forEach(
      MethodTypeDesc type, boolean isStatic, Predicate<ClassDesc> concerned, SlotAction action) {
    int slot = isStatic ? 0 : 1;
    for (ClassDesc parameter : type.parameterList()) {
      if (concerned.test(parameter)) {
        action.on(slot);
      }
      slot += TypeKind.from(parameter).slotSize();
    }
  }

  private interface Emitter {
    void emit(CodeBuilder code, ReturnInstruction at);
  }

  private static CodeTransform atReturn(Emitter emitter) {
    return (code, element) -> {
      if (element instanceof ReturnInstruction end) {
        emitter.emit(code, end);
      }
      code.with(element);
    };
  }

  /**
   * Replaces clearing the owner's flag by a call of the guard, which waits for users of the object first, and the
   * destruction of the native object by a call of the guard, which also releases the retained objects.
   */
  private static CodeTransform closing() {
    return (code, element) -> {
      if (element instanceof InvokeInstruction call
          && call.owner().asSymbol().equals(FLAG)
          && call.name().equalsString("compareAndSet")) {
        code.pop2() // true, false
            .aload(0)
            .getfield(IMMUTABLE, GuardWeaver.FIELD, GUARD)
            .invokestatic(GUARD, "mayDispose", MethodTypeDesc.of(ConstantDescs.CD_boolean, FLAG, GUARD));
      } else if (element instanceof InvokeInstruction call
          && call.opcode() == Opcode.INVOKEVIRTUAL
          && call.name().equalsString("disposeInternal")) {
        code.invokestatic(WOVEN, "disposes", ONE_OBJECT);
      } else {
        code.with(element);
      }
    };
  }

  /**
   * Removes the call that reports errors of a close from {@code close()}, which ignores them: destroying the engine's
   * database closes it. The removed call would need a {@code JNIEnv}, which takes tens of milliseconds to create.
   */
  private static CodeTransform withoutAsking() {
    return (code, element) -> {
      if (element instanceof InvokeInstruction call && call.name().equalsString("closeDatabase")) {
        code.pop2(); // the pointer
      } else {
        code.with(element);
      }
    };
  }
}
