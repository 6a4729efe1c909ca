/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.tools.MeetingThreads;

/** Tests which slot of the table of calls a thread uses, and which calls a close waits for. */
class CallPlaceTest {
  private final Handle handle = new Handle("what is used");

  @BeforeAll
  static void load() {
    NativeLibrary.load();
  }

  private Call enterAndExit() {
    Call call = Call.enter(handle);
    call.exit();
    return call;
  }

  @Test
  void aThreadThatMeetsAnotherGoesElsewhereAndStaysThere() throws Exception {
    try (ExecutorService other = MeetingThreads.with(Thread.currentThread(), Call.all().length)) {
      Call own = Call.enter(handle);
      Call otherCall = other.submit(this::enterAndExit).get();
      assertNotSame(own, otherCall);
      own.exit();
      assertSame(otherCall, other.submit(this::enterAndExit).get());
      assertSame(own, enterAndExit());
    }
  }

  @Test
  void aThreadThatMeetsItselfKeepsItsPlace() {
    Call outer = Call.enter(handle);
    Call inner = enterAndExit();
    outer.exit();
    assertNotSame(outer, inner);
    assertSame(outer, enterAndExit());
  }

  @Test
  void aCloseWaitsForNoCallThatItsThreadHasLost() throws Exception {
    ExecutorService lasting = Executors.newSingleThreadExecutor();
    Call lost = lasting.submit(() -> Call.enter(handle)).get();
    handle.close();
    assertTrue(lost.owner().isAlive());
    lost.exit();
    lasting.shutdown();
  }

  @Test
  void aCloseWaitsForACallAsLongAsItTakes() throws Exception {
    CountDownLatch isInCall = new CountDownLatch(1);
    CountDownLatch mayLeave = new CountDownLatch(1);
    Thread inCall = Thread.ofVirtual().start(() -> {
      Call call = Call.enter(handle);
      isInCall.countDown();
      assertDoesNotThrow(() -> mayLeave.await());
      call.exit();
    });
    isInCall.await();
    long end = System.nanoTime() + 2_500_000_000L;
    handle.close(() -> {
      if (System.nanoTime() > end) {
        mayLeave.countDown();
      }
    });
    assertEquals(0, mayLeave.getCount());
    inCall.join();
  }

  /** The drop-in's classes call C functions themselves, so there may be no method of the core on the stack. */
  @Test
  void aCloseWaitsForACallOfTheDropIn() throws Exception {
    ExecutorService lasting = Executors.newSingleThreadExecutor();
    Call call = lasting.submit(() -> Call.enter(handle)).get();
    FutureTask<Object> working = new FutureTask<>(() -> null);
    lasting.execute(waiting("org.rocksdb.Waiting", working));
    long end = System.nanoTime() + 2_500_000_000L;
    handle.close(() -> {
      if (System.nanoTime() > end && !working.isDone()) {
        working.run();
        call.exit();
      }
    });
    assertTrue(working.isDone());
    lasting.shutdown();
  }

  /** Returns a task, an object of a generated class with the given name, that waits for another task. */
  private static Runnable waiting(String name, FutureTask<Object> other) throws Exception {
    ClassDesc task = ClassDesc.of(FutureTask.class.getName());
    MethodTypeDesc none = ConstantDescs.MTD_void;
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                made ->
                    made.withFlags(ClassFile.ACC_PUBLIC)
                        .withInterfaceSymbols(ClassDesc.of("java.lang.Runnable"))
                        .withField("other", task, ClassFile.ACC_PUBLIC)
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            none,
                            ClassFile.ACC_PUBLIC,
                            code -> code.aload(0).invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, none)
                                .return_())
                        .withMethodBody(
                            "run",
                            none,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .getfield(ClassDesc.of(name), "other", task)
                                    .invokevirtual(task, "get", MethodTypeDesc.of(ConstantDescs.CD_Object))
                                    .pop()
                                    .return_()));
    Class<?> type = new ClassLoader() {
      Class<?> define() {
        return defineClass(name, bytes, 0, bytes.length);
      }
    }.define();
    Object made = type.getConstructor().newInstance();
    type.getField("other").set(made, other);
    return (Runnable) made;
  }
}
