/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests an application that is deployed twenty times in one JVM, each in a separate class loader. */
final class ClassLoaderTest {
  @ParameterizedTest
  @ValueSource(strings = {"plain", "callbacks", "recorded", "callbacks recorded"})
  void aClassLoaderGoesWhenItsDatabasesAreClosed(String kind) {
    String output =
        ChildJvm.of(ClassLoaderCases.class)
            .with("--add-modules", "java.management,jdk.jfr")
            .run(kind.split(" "))
            .assertExit(0)
            .output();
    assertTrue(output.contains("loaders left: 0\nthreads left: 0\n"), output);
    assertTrue(output.contains("files left: 0"), output);
    // The JDK retains some classes that it generated for method handles; this library and the application have
    // hundreds.
    int classes = Integer.parseInt(output.replaceAll("(?s).*classes a loader left: (-?\\d+)\n.*", "$1"));
    assertTrue(classes < 20, output);
  }
}
