/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.link;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/** Runs a method of {@link EveryCallback} in one class loader after the other, each of which has classes of its own. */
final class ClassLoadersProgram {
  private ClassLoadersProgram() {}

  /** Each argument is the name of the method, an equals sign, and the class path of a loader. */
  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < arguments.length; i++) {
      String[] part = arguments[i].split("=", 2);
      System.out.println(run(loader(part[1]), part[0], "db " + i));
    }
    System.out.println("ended");
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
    return (String) loader.loadClass(EveryCallback.class.getName()).getMethod(method, String.class).invoke(null, folder);
  }
}
