/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.shape.CompiledClasses.nameOf;
import static org.rocksdbffm.shape.CompiledClasses.simple;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that a method releases each acquired resource (a call, a lock, a pass of a gate) even if it throws: the code
 * after the acquisition is within a {@code try}, or returns the resource, or passes it to a method. In between, no
 * method is called and no object allocated.
 */
public class PassesTest {
  private static final String PACKAGE = "org/rocksdbffm/internal/call/";
  private static final String CALL = PACKAGE + "Call";

  /** Classes whose objects must be released by the code that acquires them. */
  private static final Set<String> TAKEN =
      Set.of(
          CALL, PACKAGE + "Calls", PACKAGE + "CopyGate$Pass", PACKAGE + "CopyGate$Closing",
          "org/rocksdbffm/internal/db/WorkPauses$CopyFlush");

  /** Methods that acquire their object and return nothing, as the end of the class name and the method name. */
  private static final Set<String> TAKING =
      Set.of(
          "Lock.lock", "Lock.tryLock", "StampedLock.readLock", "StampedLock.writeLock", "Semaphore.tryAcquire",
          "ExclusiveUse.begin",
          "NativeOverlay.begin", "OpenIterator.begin", "BlockIterator.begin", "WorkPauses.begin", "NativeFamily.pinned",
          "State.share");

  /** Methods that exit the call themselves before they throw. */
  private static final Set<String> GIVING_BACK = Set.of("within", "alsoUse", "withKey");

  @Test
  void nothingIsThrownBetweenTakingAndTrying() {
    Set<String> gaps = gaps(CompiledClasses.all());
    // exit() ends the use, because the call already refers to it
    gaps.remove("Call.within: ExclusiveUse.begin, then VarHandle.fullFence");
    assertEquals(Set.of(), gaps);
  }

  /**
   * Returns the places where an exception may be thrown after an acquisition, and before the code that releases the
   * resource.
   */
  public static Set<String> gaps(List<ClassModel> types) {
    Set<String> gaps = new TreeSet<>();
    Set<String> accessors = new HashSet<>();
    for (ClassModel type : types) {
      type.methods().stream().filter(PassesTest::isAccessor).forEach(method -> accessors.add(
          simple(nameOf(type)) + "." + method.methodName()));
    }
    for (ClassModel type : types) {
      for (MethodModel method : type.methods()) {
        method.code()
            .ifPresent(code -> addGaps(code, simple(nameOf(type)) + "." + method.methodName() + ": ", accessors, gaps));
      }
    }
    return gaps;
  }

  /** Whether a method only reads fields. */
  private static boolean isAccessor(MethodModel method) {
    return method.code().isPresent()
        && method.code().get().elementStream().noneMatch(
            element -> element instanceof Instruction instruction && mayThrow(instruction, Set.of())
                && !(element instanceof ReturnInstruction));
  }

  private static void addGaps(CodeModel code, String where, Set<String> accessors, Set<String> gaps) {
    List<CodeElement> elements = code.elementList();
    Set<Label> tries =
        elements.stream()
            .filter(ExceptionCatch.class::isInstance)
            .map(element -> ((ExceptionCatch) element).tryStart())
            .collect(Collectors.toSet());
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof InvokeInstruction invoke && takes(invoke)) {
        String gap = gapAfter(elements, i + 1, tries, accessors);
        if (gap != null) {
          gaps.add(where + name(invoke) + ", then " + gap);
        }
      }
    }
  }

  private static String gapAfter(List<CodeElement> elements, int from, Set<Label> tries, Set<String> accessors) {
    boolean isFirst = true;
    for (int i = from; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      boolean isTaken = element instanceof BranchInstruction branch && isFirst && branch.opcode() == Opcode.IFNE;
      isFirst &= !(element instanceof Instruction);
      if (element instanceof BranchInstruction jump && (isTaken || jump.opcode() == Opcode.GOTO)) {
        i = indexOf(elements, jump.target()) - 1;
        continue;
      }
      if (element instanceof LabelTarget target && tries.contains(target.label())
          || element instanceof ReturnInstruction
          || element instanceof InvokeInstruction passed && passesOn(passed)) {
        return null;
      }
      if (element instanceof Instruction instruction && mayThrow(instruction, accessors)) {
        return instruction instanceof InvokeInstruction invoke ? name(invoke) : instruction.opcode().toString();
      }
    }
    return null;
  }

  private static int indexOf(List<CodeElement> elements, Label label) {
    return IntStream.range(0, elements.size())
        .filter(i -> elements.get(i) instanceof LabelTarget target && target.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private static boolean takes(InvokeInstruction invoke) {
    String descriptor = invoke.type().stringValue();
    boolean isOfItself = TAKEN.contains(invoke.owner().asInternalName()) && invoke.opcode() != Opcode.INVOKESTATIC;
    return TAKEN.stream().anyMatch(type -> descriptor.endsWith(")L" + type + ";")) && !isOfItself
        || TAKING.stream().anyMatch(name(invoke)::endsWith);
  }

  private static boolean passesOn(InvokeInstruction invoke) {
    return TAKEN.stream().anyMatch(type -> invoke.type().stringValue().contains("L" + type + ";"))
        || Set.of("exit", "end").contains(invoke.name().stringValue());
  }

  private static boolean mayThrow(Instruction instruction, Set<String> accessors) {
    return switch (instruction) {
      case InvokeInstruction invoke ->
          !(invoke.owner().asInternalName().equals(CALL) && GIVING_BACK.contains(invoke.name().stringValue()))
              && !accessors.contains(name(invoke));
      case LoadInstruction _, StoreInstruction _, FieldInstruction _, StackInstruction _,
      ConstantInstruction _ -> false;
      default -> switch (instruction.opcode().kind()) {
        case BRANCH, CONVERT, OPERATOR, INCREMENT, ARRAY_STORE -> false;
        default -> true;
      };
    };
  }

  private static String name(InvokeInstruction invoke) {
    String owner = invoke.owner().asInternalName();
    return owner.substring(owner.lastIndexOf('/') + 1) + "." + invoke.name();
  }

  /** A class with such a gap, and the same class without it. */
  @SuppressWarnings("unused")
  private static final class Specimen {
    private final ReentrantLock lock = new ReentrantLock();

    void gap(String text) {
      lock.lock();
      int size = text.length();
      try {
        text.charAt(size - 1);
      } finally {
        lock.unlock();
      }
    }

    void none(String text) {
      lock.lock();
      try {
        text.charAt(text.length() - 1);
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void aGapIsFound() throws java.io.IOException {
    ClassModel specimen;
    try (var in = Specimen.class.getResourceAsStream("PassesTest$Specimen.class")) {
      specimen = java.lang.classfile.ClassFile.of().parse(in.readAllBytes());
    }
    Set<String> gaps = gaps(List.of(specimen));
    assertEquals(1, gaps.size(), gaps::toString);
    assertTrue(gaps.toString().contains("PassesTest$Specimen.gap"), gaps::toString);
  }
}
