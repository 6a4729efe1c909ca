/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.torture.dropin.steps.CallCase;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.StepLog;
import org.rocksdbffm.torture.dropin.steps.Watchdog;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Runs the steps of a case: records each step, creates its arguments, calls, and stores its results. */
public final class CallRun {
  final CallResults pool = new CallResults();

  private final StepLog log;
  private final Watchdog watchdog;
  private final References references;
  private final Maker maker;
  private final Map<Integer, CallStep> steps = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();

  public CallRun(StepLog log, Watchdog watchdog, References references, boolean isReplay) {
    this.log = log;
    this.watchdog = watchdog;
    this.references = references;
    maker = new Maker(pool, isReplay, this::again);
    references.lendTo(pool);
  }

  int nextNumber() {
    return numbers.getAndIncrement();
  }

  int lastNumber() {
    return numbers.get();
  }

  /** Runs a recorded case; each thread runs its steps in order. */
  public void replay(CallCase one) {
    List<Thread> threads =
        one.steps().stream()
            .map(CallStep::thread)
            .distinct()
            .map(thread ->
                start(thread, () -> one.steps().stream().filter(each -> each.thread() == thread).forEach(this::run)))
            .toList();
    join(threads);
  }

  public static Thread start(int number, Runnable task) {
    return number >= CallStep.FIRST_VIRTUAL ? Thread.startVirtualThread(task)
        : Thread.ofPlatform().name("client " + number).start(task);
  }

  public static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Runs one step; returns whether it returned a result. */
  boolean run(CallStep step) {
    steps.put(step.number(), step);
    log.begins(step);
    watchdog.begins(step);
    String outcome;
    try {
      outcome = call(step, true);
    } catch (WrongAnswer e) {
      throw e;
    } catch (Maker.MissingException e) {
      outcome = StepLog.SKIPPED + " " + e.getMessage();
    } catch (Throwable e) {
      outcome = e.getClass().getName();
      if (e instanceof LinkageError || e instanceof ClassCastException) {
        System.out.println("ODD: " + e + " of " + step);
      }
    } finally {
      watchdog.ends();
      pool.finished(step.number());
    }
    log.ends(step, outcome);
    return outcome.equals(StepLog.ANSWERED);
  }

  private String call(CallStep step, boolean keepsResult) throws Throwable {
    if (step.member().startsWith("!")) {
      own(step);
      return StepLog.ANSWERED;
    }
    ApiMember member = ApiMembers.ALL.get(step.member());
    if (member == null) {
      throw new Maker.MissingException("no such member");
    }
    Object[] arguments = maker.make(step, member);
    String reason = Excluded.reason(member, arguments);
    if (reason != null
        || member.hasReceiver() && References.isHarm(step.arguments().get(0).toString().substring(1), arguments[0])) {
      throw new Maker.MissingException("excluded");
    }
    Object result = member.call(arguments);
    if (member.name().equals("pauseBackgroundWork")) {
      ((RocksDB) arguments[0]).continueBackgroundWork(); // after pauseBackgroundWork, calls would wait until this
    }
    if (keepsResult) {
      pool.add(step.number(), result, arguments);
    }
    return StepLog.ANSWERED;
  }

  /** Runs a step again from a callback. */
  private void again(int number) {
    CallStep step = steps.get(number);
    if (step != null && !step.member().startsWith("!")) {
      try {
        call(step, false);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        // harmless, like an ignored result
      }
    }
  }

  /** Runs a step of the harness itself, such as a garbage collection. */
  private void own(CallStep step) throws Exception {
    try {
      switch (step.member()) {
        case "!folder" -> Files.createDirectories(Path.of(ReferenceModel.text(step, 0)));
        case "!gc" -> System.gc();
        case "!forget" -> pool.forget(ReferenceModel.text(step, 0));
        case "!interrupt" -> Thread.currentThread().interrupt();
        case "!wait" -> Thread.sleep(5);
        case ReferenceModel.PUT -> references.put(step);
        case ReferenceModel.RANGE -> references.deleteRange(step);
        case "!get" -> references.get(step);
        case "!flush" -> references.flush(step);
        default -> throw new Maker.MissingException("no such step");
      }
    } catch (RocksDBException e) {
      throw new WrongAnswer("a reference database answers " + e.getMessage());
    } catch (IllegalStateException e) {
      if (!String.valueOf(e.getMessage()).contains("closed")) {
        throw e;
      }
    }
  }
}
