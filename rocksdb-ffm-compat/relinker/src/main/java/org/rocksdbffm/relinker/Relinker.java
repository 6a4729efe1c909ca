/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the drop-in from the published classes of {@code org.rocksdb}: gives each native method a body, guards each
 * use of a native pointer, and writes the classes next to the glue. Any inconsistency is an error; all errors are
 * printed.
 */
public final class Relinker {
  private Relinker() {}

  /**
   * Runs in the build.
   *
   * @param arguments the published jar; the folder of route files; the list of C functions; the folder with the
   *     compiled glue, to which the classes are written
   */
  public static void main(String[] arguments) throws IOException {
    try {
      System.out.println(
          relink(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3])));
    } catch (RelinkException e) {
      System.err.println("relinker: " + e.getMessage());
      System.exit(1);
    }
  }

  static Report relink(Path jar, Path routeFolder, Path cApi, Path output) throws IOException {
    Routes routes = Routes.read(routeFolder);
    ArgumentTable arguments = ArgumentTable.read(routeFolder);
    Lifetimes lifetimes = Lifetimes.read(routeFolder.resolve("lifetimes.txt"));
    Glue glue = Glue.read(output);
    Report report = new Report();
    Published published = withOlderMembers(Published.read(jar), OlderMembers.read(routeFolder), glue, report);
    ClassWriter writer =
        new ClassWriter(published, routes, arguments, lifetimes, CApi.read(cApi), glue, report);
    List<ClassWriter.Written> written = new ArrayList<>();
    published.types().forEach(type -> report.attempt(() -> written.add(writer.relinked(type))));
    glue.toBeWritten().forEach(type -> report.attempt(() -> written.add(writer.linkedGlue(type))));
    report.attempt(() -> report.requireComplete(routes, glue));
    report.attempt(lifetimes::requireAllMet);
    report.attempt(arguments::requireAllMet);
    report.requireNoErrors();
    for (ClassWriter.Written type : written) {
      write(output, type);
    }
    return report;
  }

  private static Published withOlderMembers(Published published, OlderMembers table, Glue glue, Report report) {
    OlderWriter older =
        new OlderWriter(table, ClassTree.of(published.types(), glue.types().values()), glue, report);
    Published all = new Published(published.types().stream().map(older::with).toList());
    older.checkAllAdded();
    return all;
  }

  private static void write(Path folder, ClassWriter.Written written) throws IOException {
    Path file = folder.resolve(written.name() + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, written.bytes());
  }
}
