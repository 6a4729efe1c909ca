/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.exits;

/** A way for a process to end, with the expected exit status. */
enum Way {
  CLOSE_AND_EXIT(7),
  CLOSE_AND_MAIN_ENDS(0),
  EXIT(7),
  EXIT_WITH_A_HOOK_THAT_CLOSES(7),
  HALT(9),
  MAIN_ENDS(0),
  UNCAUGHT(1),
  SIGTERM(128 + 15),
  SIGINT(128 + 2),
  SIGHUP(128 + 1),
  SIGTERM_WITH_A_HOOK_THAT_CLOSES(128 + 15),
  EXIT_IN_A_CALL(7),
  EXIT_IN_A_CALL_WITH_A_HOOK_THAT_CLOSES(7),
  EXIT_IN_A_THREAD_OF_THE_ENGINE(7),
  EXIT_IN_A_THREAD_OF_THE_ENGINE_WITH_A_HOOK_THAT_CLOSES(7),
  HALT_IN_A_THREAD_OF_THE_ENGINE(9);

  private static final String SIGNAL = "SIG";

  final int status;

  Way(int status) {
    this.status = status;
  }

  /** Returns the signal that the parent process sends, as an option of {@code kill}; null if none. */
  String signal() {
    return name().startsWith(SIGNAL) ? name().substring(SIGNAL.length()).replaceAll("_.*", "") : null;
  }

  boolean hasHook() {
    return name().endsWith("_WITH_A_HOOK_THAT_CLOSES");
  }

  boolean closesBefore() {
    return name().startsWith("CLOSE_");
  }

  boolean isInCall() {
    return name().contains("IN_A_CALL");
  }

  boolean isInThreadOfEngine() {
    return name().contains("IN_A_THREAD_OF_THE_ENGINE");
  }

  /** Ends the process within a callback. */
  void endHere() {
    if (name().startsWith("HALT")) {
      Runtime.getRuntime().halt(status);
    }
    System.exit(status);
  }
}
