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
 * Puts a guard before every use of a native pointer. Where upstream reads {@code nativeHandle_} to call the engine
 * with it, the method first announces that it uses the object, which throws if the object is closed, and lets go of
 * all that it announced when it ends, however it does. So a close waits for the methods that use what it closes. A
 * method that uses several objects has them held against each other too: they must be of one database.
 */
final class GuardWeaver {
  static final String FIELD = "guard$";
  static final ClassDesc GUARD = Bodies.glue("lifetime.Guard");

  static final String POINTER = "nativeHandle_";
  private static final String POINTER_GETTER = "getNativeHandle";
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final ClassDesc REFERENCE = ClassDesc.of("java.lang.ref.Reference");
  private static final ClassDesc LIST = ConstantDescs.CD_List;
  private static final ClassDesc MEMBERSHIP = Bodies.glue("lifetime.Membership");

  /** Upstream's own methods that make an array of the pointers of a list of objects, for their caller to pass on. */
  private static final Set<String> POINTERS_OF_LIST = Set.of("toNativeHandleList", "toRangeSliceHandles");

  /** Where an object is made or unmade, nobody else is in a call with it, and it is no longer or not yet guarded. */
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

  /** Whether the method has anything to guard. */
  boolean concerns(MethodModel method) {
    String name = method.methodName().stringValue();
    return !UNGUARDED.contains(name)
        && method.code().isPresent()
        && method.code().get().elementStream().anyMatch(this::readsPointer);
  }

  private boolean readsPointer(CodeElement element) {
    return ownerOfPointer(element) != null || readsPointerOfInterface(element) || readsPointersOfList(element);
  }

  /** Of an object that may be a program's own, which has no guard. */
  private static boolean readsPointerOfInterface(CodeElement element) {
    return element instanceof InvokeInstruction call
        && call.name().equalsString(POINTER_GETTER)
        && call.opcode() == Opcode.INVOKEINTERFACE;
  }

  private static boolean readsPointersOfList(CodeElement element) {
    return element instanceof InvokeInstruction call && POINTERS_OF_LIST.contains(call.name().stringValue());
  }

  /** Whether the method may use several objects, so that they are to be held against each other. */
  private boolean readsSeveralPointers(MethodModel method) {
    return method.code().orElseThrow().elementStream().filter(this::readsPointer).count() > 1;
  }

  /** The class that has the guard of the object whose pointer is read; null where none is read. */
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
   * A transform for one method, which has state; a shared method does not keep other threads out of the object, and one
   * that mixes may be given objects of several databases.
   */
  CodeTransform weave(MethodModel method, boolean shared, boolean mixes) {
    boolean isConstructor = method.methodName().equalsString(ConstantDescs.INIT_NAME);
    return isConstructor && classes.isCallback(method.parent().orElseThrow().thisClass().asSymbol())
        ? new Checks(method.methodTypeSymbol())
        : new Uses(
            shared ? "share" : "use", changesObject(method), !mixes && readsSeveralPointers(method), isConstructor);
  }

  /** Whether the method is one of options or of a slice that gives these back, or nothing, as a setter does. */
  private static boolean changesObject(MethodModel method) {
    ClassDesc its = method.parent().orElseThrow().thisClass().asSymbol();
    ClassDesc given = method.methodTypeSymbol().returnType();
    return its.displayName().matches(".*(Options.*|Slice)")
        && (given.equals(its) || given.equals(ConstantDescs.CD_void))
        && !method.methodName().equalsString(ConstantDescs.INIT_NAME)
        && !method.flags().has(AccessFlag.STATIC);
  }

  /**
   * The constructor of what the engine calls back makes the native object in its superclass', where the program's code may
   * throw, and there it could not leave: so what it uses is but checked, and kept from being forgotten until it ends.
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
   * Keeps in a local what the method uses, and leaves it wherever the method ends. A constructor has a handler of its own
   * for what it does before it calls its superclass', as it has no object until then.
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
        code.dup().aload(used).invokestatic(GUARD, "useIfGuarded", MethodTypeDesc.of(OBJECT, OBJECT, OBJECT)).astore(used);
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

    /** Whether this is the call of the superclass' constructor, and not of one of an object that was begun here. */
    private boolean makesObject(CodeElement element) {
      if (element instanceof NewObjectInstruction) {
        unfinished++;
      }
      return element instanceof InvokeInstruction call
          && call.name().equalsString(ConstantDescs.INIT_NAME)
          && --unfinished < 0;
    }

    /** Takes the guard of an object, or a list of objects, from the stack. */
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

  /** Code that runs with what the method uses announced. */
  private record Range(Label start, Label end) {}
}
