/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

/** Threads of the library that serve one object. */
public final class ServiceThread {
  private ServiceThread() {}

  /** Starts a daemon thread that references nothing of the calling thread, which may belong to the engine. */
  public static Thread start(String name, Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).name(name).unstarted(work);
    thread.setContextClassLoader(ServiceThread.class.getClassLoader());
    thread.start();
    return thread;
  }
}
