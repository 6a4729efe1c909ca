/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Inserts a guard before each use of a native pointer. Where rocksdbjni reads {@code nativeHandle_} for a call to the
 * engine, the method first announces the use of the object, which throws if the object is closed. At its end, also by
 * an exception, it ends all its uses. So closing an object waits for methods that use it. A method with several objects
 * also checks that they belong to one database.
 */
final class GuardWeaver {
  static final String FIELD = "guard$";
  static final ClassDesc GUARD = Bodies.glue("lifetime.Guard");

  static final String POINTER = "nativeHandle_";
  private static final String POINTER_GETTER = "getNativeHandle";
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final ClassDesc REFERENCE = ClassDesc.of("java.lang.ref.Reference");
  private static final ClassDesc LIST = ConstantDescs.CD_List;
  private static final ClassDesc MEMBERSHIP = Bodies.glue("membership.Membership");

  /** rocksdbjni's methods that convert a list of objects to an array of pointers, for their callers to pass on. */
  private static final Set<String> POINTERS_OF_LIST = Set.of("toNativeHandleList", "toRangeSliceHandles");

  /** Methods that create or destroy objects, when no other thread uses the object and no guard is needed. */
  private static final Set<String> UNGUARDED =
      Set.of(
          "close",
          "closeE",
          "disposeInternal",
          POINTER_GETTER,
          "resetNativeHandle",
          "setNativeHandle");

  private final ClassTree classes;

  GuardWeaver(ClassTree classes) {
    this.classes = classes;
  }

  /** Whether the method uses native pointers. */
  boolean concerns(MethodModel method) {
    String name = method.methodName().stringValue();
    return !UNGUARDED.contains(name)
        && method.code().isPresent()
        && method.code().get().elementStream().anyMatch(this::readsPointer);
  }

  private boolean readsPointer(CodeElement element) {
    return ownerOfPointer(element) != null || readsPointerOfInterface(element) || readsPointersOfList(element);
  }

  /**
   * Whether the element reads a pointer through an interface, which a program's class without a guard may implement.
   */
  private static boolean readsPointerOfInterface(CodeElement element) {
    return element instanceof InvokeInstruction call
        && call.name().equalsString(POINTER_GETTER)
        && call.opcode() == Opcode.INVOKEINTERFACE;
  }

  private static boolean readsPointersOfList(CodeElement element) {
    return element instanceof InvokeInstruction call && POINTERS_OF_LIST.contains(call.name().stringValue());
  }

  /** Whether the method may use several objects, so that their databases have to be compared. */
  private boolean readsSeveralPointers(MethodModel method) {
    return method.code().orElseThrow().elementStream().filter(this::readsPointer).count() > 1;
  }

  /** Returns the class with the guard of the object whose pointer is read; null if no pointer is read. */
  private ClassDesc ownerOfPointer(CodeElement element) {
    return switch (element) {
      case FieldInstruction field
          when field.opcode() == Opcode.GETFIELD && field.name().equalsString(POINTER) ->
          classes.guardedBase(field.owner().asSymbol());
      case InvokeInstruction call
          when call.name().equalsString(POINTER_GETTER) && call.opcode() == Opcode.INVOKEVIRTUAL ->
          classes.guardedBase(call.owner().asSymbol());
      default -> null;
    };
  }

  /**
   * Returns a stateful transform for one method. A shared method does not exclude other threads from the object, and a
   * mixing method accepts objects of several databases.
   */
  CodeTransform weave(MethodModel method, boolean shared, boolean mixes) {
    boolean isConstructor = method.methodName().equalsString(ConstantDescs.INIT_NAME);
    return isConstructor && classes.isCallback(method.parent().orElseThrow().thisClass().asSymbol())
        ? new Checks(method.methodTypeSymbol())
        : new Uses(
            shared ? "share" : "use", changesObject(method), !mixes && readsSeveralPointers(method), isConstructor);
  }

  /** Whether the method changes options or a slice: whether it is a setter, which returns its object or nothing. */
  private static boolean changesObject(MethodModel method) {
    ClassDesc own = method.parent().orElseThrow().thisClass().asSymbol();
    ClassDesc given = method.methodTypeSymbol().returnType();
    return own.displayName().matches(".*(Options.*|Slice)")
        && (given.equals(own) || given.equals(ConstantDescs.CD_void))
        && !method.methodName().equalsString(ConstantDescs.INIT_NAME)
        && !method.flags().has(AccessFlag.STATIC);
  }

  /**
   * Weaves the constructor of a callback class. The superclass's constructor creates the native object and may call the
   * program's code. If that code throws, this constructor could not end its uses. So the arguments are only checked,
   * and kept reachable until the end.
   */
  private final class Checks implements CodeTransform {
    private final MethodTypeDesc type;

    Checks(MethodTypeDesc type) {
      this.type = type;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      ClassDesc owner = ownerOfPointer(element);
      if (owner != null) {
        code.dup()
            .getfield(owner, FIELD, GUARD)
            .invokestatic(GUARD, "check", MethodTypeDesc.of(ConstantDescs.CD_void, GUARD));
      }
      if (element instanceof ReturnInstruction) {
        holdArguments(code);
      }
      code.with(element);
    }

    private void holdArguments(CodeBuilder code) {
      int slot = 1;
      for (ClassDesc parameter : type.parameterList()) {
        if (classes.guardedBase(parameter) != null) {
          code.aload(slot)
              .invokestatic(REFERENCE, "reachabilityFence", MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT));
        }
        slot += TypeKind.from(parameter).slotSize();
      }
    }
  }

  /**
   * Keeps the method's uses in a local variable, and ends them at every exit. A constructor has a separate exception
   * handler for code before the call of the superclass's constructor, because its object is uninitialized there.
   */
  private final class Uses implements CodeTransform {
    private final String announcement;
    private final boolean changesItself;
    private final boolean compares;
    private final List<Range> ranges = new ArrayList<>();
    private boolean hasNoObject;
    private int unfinished;
    private int used;
    private int whose;
    private Label start;
    private boolean isEmpty;
    private CodeElement last;

    Uses(String announcement, boolean changesItself, boolean compares, boolean isConstructor) {
      this.announcement = announcement;
      this.changesItself = changesItself;
      this.compares = compares;
      this.hasNoObject = isConstructor;
    }

    @Override
    public void atStart(CodeBuilder code) {
      used = code.allocateLocal(TypeKind.REFERENCE);
      code.aconst_null().astore(used);
      if (compares) {
        whose = code.allocateLocal(TypeKind.REFERENCE);
        code.aconst_null().astore(whose);
      }
      begin(code);
    }

    private void begin(CodeBuilder code) {
      start = code.newBoundLabel();
      isEmpty = true;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      ClassDesc owner = ownerOfPointer(element);
      if (owner != null) {
        code.dup().getfield(owner, FIELD, GUARD);
        boolean changes = changesItself && last instanceof LoadInstruction load && load.slot() == 0;
        announce(code, GUARD, changes ? "change" : announcement);
      } else if (readsPointerOfInterface(element)) {
        code.dup().aload(used).invokestatic(GUARD, "useIfGuarded", MethodTypeDesc.of(OBJECT, OBJECT, OBJECT))
            .astore(used);
      } else if (readsPointersOfList(element)) {
        code.dup();
        announce(code, LIST, "useAll");
      }
      if (element instanceof ReturnInstruction) {
        end(code);
        leave(code);
        code.with(element);
        begin(code);
        return;
      }
      last = element;
      isEmpty &= !(element instanceof Instruction);
      if (hasNoObject && makesObject(element)) {
        hasNoObject = false;
        end(code);
        ranges.add(null);
        code.with(element);
        begin(code);
      } else {
        code.with(element);
      }
    }

    /** Whether the element calls the superclass's constructor, and not the constructor of an object created here. */
    private boolean makesObject(CodeElement element) {
      if (element instanceof NewObjectInstruction) {
        unfinished++;
      }
      return element instanceof InvokeInstruction call
          && call.name().equalsString(ConstantDescs.INIT_NAME)
          && --unfinished < 0;
    }

    /** Announces the guard, or the list of objects, on top of the stack. */
    private void announce(CodeBuilder code, ClassDesc what, String announcement) {
      if (compares) {
        code.dup();
      }
      code.aload(used)
          .invokestatic(GUARD, announcement, MethodTypeDesc.of(OBJECT, what, OBJECT))
          .astore(used);
      if (compares) {
        code.aload(whose)
            .invokestatic(MEMBERSHIP, "together", MethodTypeDesc.of(GUARD, what, GUARD))
            .astore(whose);
      }
    }

    private void end(CodeBuilder code) {
      if (!isEmpty) {
        ranges.add(new Range(start, code.newBoundLabel()));
      }
    }

    @Override
    public void atEnd(CodeBuilder code) {
      end(code);
      int before = ranges.indexOf(null);
      handle(code, ranges.subList(0, Math.max(before, 0)));
      handle(code, ranges.subList(before + 1, ranges.size()));
    }

    private void handle(CodeBuilder code, List<Range> failing) {
      if (!failing.isEmpty()) {
        Label handler = code.newBoundLabel();
        leave(code);
        code.athrow();
        failing.forEach(range -> code.exceptionCatchAll(range.start, range.end, handler));
      }
    }

    private void leave(CodeBuilder code) {
      code.aload(used).invokestatic(GUARD, "leave", MethodTypeDesc.of(ConstantDescs.CD_void, OBJECT));
    }
  }

  /** A range of code for an exception handler that ends the uses. */
  private record Range(Label start, Label end) {}
}
