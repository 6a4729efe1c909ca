/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Checks the files of a deployed release: {@code Published.java <folder> <version> <table of platforms>}. Prints each
 * error, and exits with 1 if there is one.
 */
final class Published {
  private static final List<String> LIBRARIES =
      List.of(
          "rocksdb-ffm",
          "rocksdb-ffm-netty",
          "rocksdb-ffm-metrics",
          "rocksdb-ffm-archive",
          "rocksdb-ffm-archive-s3",
          "rocksdb-ffm-compat",
          "rocksdb-ffm-flink");
  private static final List<String> OF_A_LIBRARY =
      List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml");
  private static final List<String> IN_A_POM =
      List.of("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm");
  private static final String CHANGED = "CHANGED by this project";

  private final Path group;
  private final String version;
  private final List<String> wrong = new ArrayList<>();

  private Published(Path repository, String version) {
    this.group = repository.resolve("org/rocksdbffm");
    this.version = version;
  }

  public static void main(String[] arguments) throws IOException {
    var published = new Published(Path.of(arguments[0]), arguments[1]);
    published.check(Files.readAllLines(Path.of(arguments[2])));
    published.wrong.forEach(System.err::println);
    System.exit(published.wrong.isEmpty() ? 0 : 1);
  }

  private void check(List<String> platforms) throws IOException {
    Set<String> expected = expected(platforms);
    Set<String> found = found();
    expected.stream().filter(file -> !found.contains(file)).forEach(file -> wrong.add(file + " is missing"));
    found.stream().filter(file -> !expected.contains(file))
        .forEach(file -> wrong.add(file + " should not be published"));
    for (String file : found) {
      if (file.endsWith(".jar")) {
        checkJar(file);
      } else if (file.endsWith(".pom")) {
        checkPom(file);
      }
    }
    System.out.println(found.size() + " files are published, half of them signatures");
  }

  private Set<String> expected(List<String> platforms) {
    Set<String> files = new TreeSet<>();
    for (String library : LIBRARIES) {
      OF_A_LIBRARY.forEach(suffix -> files.add(file(library, suffix)));
    }
    platforms.stream()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> files.add(file("rocksdb-ffm-native", "-" + line.substring(0, line.indexOf(' ')) + ".jar")));
    files.add(file("rocksdb-ffm-native", "-all.jar"));
    List.of("rocksdb-ffm-native", "rocksdb-ffm-parent")
        .forEach(module -> OF_A_LIBRARY.stream()
            .filter(suffix -> suffix.startsWith("-cyclonedx"))
            .forEach(suffix -> files.add(file(module, suffix))));
    Stream.concat(LIBRARIES.stream(), Stream.of("rocksdb-ffm-native", "rocksdb-ffm-parent", "rocksdb-ffm-bom"))
        .forEach(module -> files.add(file(module, ".pom")));
    List.copyOf(files).forEach(file -> files.add(file + ".asc"));
    return files;
  }

  private String file(String module, String suffix) {
    return module + "/" + version + "/" + module + "-" + version + suffix;
  }

  private Set<String> found() throws IOException {
    Set<String> files = new TreeSet<>();
    try (Stream<Path> all = Files.walk(group)) {
      all.filter(Files::isRegularFile)
          .map(file -> group.relativize(file).toString())
          .filter(file -> !file.contains("maven-metadata.xml") && !file.matches(".*\\.(md5|sha1|sha256|sha512)"))
          .forEach(files::add);
    }
    return files;
  }

  private void checkJar(String name) throws IOException {
    try (var jar = new JarFile(group.resolve(name).toFile())) {
      for (String file : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
        if (jar.getEntry(file) == null) {
          wrong.add(name + " has no " + file);
        } else if (file.endsWith("NOTICE")) {
          checkNotice(name, new String(jar.getInputStream(jar.getEntry(file)).readAllBytes()));
        }
      }
      if (name.contains("native") && jar.stream().noneMatch(entry -> entry.getName().endsWith("SHA256SUMS"))) {
        wrong.add(name + " has no libraries");
      }
    }
  }

  /** Checks that only the drop-in's notice names upstream, because only its jar contains changed upstream classes. */
  private void checkNotice(String name, String notice) {
    if (notice.contains(CHANGED) != name.startsWith("rocksdb-ffm-compat")) {
      wrong.add(name + " has another module's NOTICE");
    }
  }

  /** Checks a POM; elements that are missing in it must be in its parent. */
  private void checkPom(String name) throws IOException {
    String pom = Files.readString(group.resolve(name));
    String told =
        pom.contains("<parent>") ? pom + Files.readString(group.resolve(file("rocksdb-ffm-parent", ".pom"))) : pom;
    IN_A_POM.stream()
        .filter(element -> !told.contains(element))
        .forEach(element -> wrong.add(name + " has no " + element));
    if (pom.contains("-SNAPSHOT")) {
      wrong.add(name + " depends on a snapshot");
    }
  }
}
