/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs a method of {@link EveryCallback} in several class loaders, one after another. */
final class ClassLoadersProgram {
  private static final int COLLECTIONS = 5;
  private static final int MOST_COLLECTIONS = 100; // on a busy machine, some threads end late

  private ClassLoadersProgram() {}

  /**
   * Each argument consists of the method's name, an equals sign, and a class path. Finally prints how many of the class
   * loaders are still reachable.
   */
  public static void main(String[] arguments) throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    runEach(arguments, loaders);
    for (int i = 0; i < COLLECTIONS || i < MOST_COLLECTIONS && left(loaders) > loaders.size() / 2; i++) {
      System.gc();
      Thread.sleep(100);
    }
    System.out.println("left: " + left(loaders));
    System.out.println("ended");
  }

  private static long left(List<WeakReference<ClassLoader>> loaders) {
    return loaders.stream().filter(loader -> loader.get() != null).count();
  }

  private static void runEach(String[] arguments, List<WeakReference<ClassLoader>> loaders) throws Exception {
    for (int i = 0; i < arguments.length; i++) {
      String[] part = arguments[i].split("=", 2);
      ClassLoader loader = loader(part[1]);
      loaders.add(new WeakReference<>(loader));
      System.out.println(run(loader, part[0], "db " + i));
    }
  }

  static ClassLoader loader(String classPath) {
    URL[] places = Arrays.stream(classPath.split(File.pathSeparator)).map(ClassLoadersProgram::url).toArray(URL[]::new);
    return new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(String place) {
    try {
      return Path.of(place).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  static String run(ClassLoader loader, String method, String folder) throws Exception {
    return (String) loader.loadClass(EveryCallback.class.getName()).getMethod(method, String.class)
        .invoke(null, folder);
  }
}
