/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.runs;

/** The ends of a child whose case failed: without shutdown hooks, which might wait for threads that hang. */
public final class ChildEnd {
  private ChildEnd() {}

  /** Prints an exception, and ends the process with 1. */
  public static void fail(Throwable cause) {
    System.out.println("FAILED");
    cause.printStackTrace(System.out);
    halt(1);
  }

  /** Prints the stack traces of all threads, and ends the process. */
  public static void hang(String report, int exitCode) {
    System.out.println(report);
    Thread.getAllStackTraces().forEach((thread, frames) -> {
      System.out.println(thread);
      for (StackTraceElement frame : frames) {
        System.out.println("  at " + frame);
      }
    });
    halt(exitCode);
  }

  private static void halt(int exitCode) {
    System.out.flush();
    Runtime.getRuntime().halt(exitCode);
  }
}
