/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Recording;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Loads an application in one class loader after another, and counts the objects that are not unloaded; see
 * {@link ClassLoaderTest}.
 */
final class ClassLoaderCases {
  private static final int UNCOUNTED = 2; // warm-up: the JVM and the engine create permanent objects
  private static final int THREADS = 2;
  private static final int WAITS = 500;

  private ClassLoaderCases() {}

  public static void main(String[] arguments) throws Exception {
    int loaders = Sweeps.of(6, 200);
    boolean withCallbacks = List.of(arguments).contains("callbacks");
    // Initializes the JDK's logging before the count: a garbage collection may report a leaked cursor at any time.
    System.getLogger("deployments").log(System.Logger.Level.WARNING, "The first line of the log");
    try (Recording recording = new Recording();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      if (List.of(arguments).contains("recorded")) {
        recording.start();
      }
      for (int i = 0; i < THREADS; i++) {
        threads.submit(() -> {}).get(); // starts a thread with this class loader as context
      }
      redeploy(UNCOUNTED, withCallbacks, threads);
      int threadsBefore = Thread.getAllStackTraces().size();
      int classesBefore = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
      int filesBefore = openFiles();
      redeploy(loaders, withCallbacks, threads);
      print("threads", Thread.getAllStackTraces().size() - threadsBefore);
      long classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() - classesBefore;
      print("classes a loader", classes / loaders);
      print("files", openFiles() - filesBefore);
    }
  }

  private static void redeploy(int times, boolean withCallbacks, ExecutorService threads) throws Exception {
    List<Reference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      loaders.add(deploy(withCallbacks, threads));
    }
    for (int i = 0; i < WAITS && alive(loaders) > 0; i++) {
      LiveObjectsCheck.collect();
    }
    print("loaders", alive(loaders));
  }

  private static Reference<ClassLoader> deploy(boolean withCallbacks, ExecutorService threads) throws Exception {
    ClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    loader
        .loadClass("org.rocksdbffm.forgotten.RedeployedApplication")
        .getMethod("run", Path.class, boolean.class, ExecutorService.class)
        .invoke(null, Path.of("").toAbsolutePath().resolve("db"), withCallbacks, threads);
    Thread.currentThread().setContextClassLoader(null);
    return new WeakReference<>(loader);
  }

  private static URL[] classPath() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":")) {
      urls.add(URI.create(new File(entry).toURI().toString()).toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private static long alive(List<Reference<ClassLoader>> loaders) {
    return loaders.stream().filter(loader -> !loader.refersTo(null)).count();
  }

  private static int openFiles() {
    String[] files = new File("/proc/self/fd").list();
    return files == null ? 0 : files.length;
  }

  private static void print(String what, long count) {
    System.out.println(what + " left: " + count);
  }
}
