/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.deployments;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts one program, on the core, Netty's module and the drop-in, in every form in which programs are packed. */
class PackagingTest {
  private static final String UNNAMED = "--enable-native-access=ALL-UNNAMED";
  private static final String MODULES = "--enable-native-access=org.rocksdbffm,org.rocksdbffm.compat";
  private static final String NATIVES =
      "org.rocksdbffm.natives." + System.getProperty("platform").replace('-', '_');

  /** A module that the core can do without: it then records no JFR events. */
  private static final String OPTIONAL = "jdk.jfr";

  @TempDir Path folder;
  private Application application;

  @BeforeEach
  void build() throws IOException {
    application = Application.in(folder);
  }

  @Test
  void aProgramOnTheClassPathWorks() throws IOException {
    application.assertWorks(UNNAMED, "-cp", application.classPath(), Application.MAIN);
  }

  @Test
  void aModularProgramOnTheModulePathNeedsNoOtherFlag() throws IOException {
    application.assertWorks(MODULES, "-p", application.classPath(), "-m", "application/" + Application.MAIN);
  }

  /** Without a {@code requires}, a class is missing only at its first use, and only on the module path. */
  @Test
  void everyModuleReadsTheModulesOfTheClassesThatItUses() throws IOException {
    List<Path> own = Application.list(application.jars()).stream().filter(PackagingTest::isOwn).toList();
    assertEquals(3, own.size(), own::toString);
    for (Path jar : own) {
      var missing = new StringWriter();
      int status =
          ToolProvider.findFirst("jdeps")
              .orElseThrow()
              .run(
                  new PrintWriter(missing), new PrintWriter(System.err), "--multi-release", "base", "--module-path",
                  application.jars().toString(), "--add-modules", OPTIONAL, "--missing-deps", jar.toString());
      assertEquals("0: ", status + ": " + missing, jar::toString);
    }
  }

  private static boolean isOwn(Path jar) {
    String name = jar.getFileName().toString();
    return name.startsWith("rocksdb-ffm-") && !name.startsWith("rocksdb-ffm-native-");
  }

  @Test
  void everyJarIsAModuleThatAnImageCanHold() throws IOException {
    Path image = folder.resolve("image");
    application.tool(
        "jlink", "--module-path", application.classPath(), "--add-modules", "application," + NATIVES,
        "--add-options=" + MODULES, "--output", image.toString());
    application.assertRuns(
        image.resolve("bin/java"),
        List.of(
            "-Dorg.rocksdbffm.cache=" + folder.resolve("cache"), "-m", "application/" + Application.MAIN));
  }

  @Test
  void aShadedJarWorks() throws IOException {
    Path shaded = folder.resolve("shaded.jar");
    Set<String> written = new HashSet<>();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(shaded), manifest(Application.MAIN))) {
      for (Path jar : application.everyJar()) {
        copyEntries(jar, out, written);
      }
    }
    application.assertWorks(UNNAMED, "-jar", shaded.toString());
  }

  /** Copies the entries of a jar, except module descriptors, manifests, and names that were already written. */
  private static void copyEntries(Path jar, JarOutputStream out, Set<String> written) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().toList()) {
        boolean described =
            entry.getName().endsWith("module-info.class") || entry.getName().equals("META-INF/MANIFEST.MF");
        if (!described && !entry.isDirectory() && written.add(entry.getName())) {
          out.putNextEntry(new JarEntry(entry.getName()));
          file.getInputStream(entry).transferTo(out);
          out.closeEntry();
        }
      }
    }
  }

  @Test
  void aJarOfJarsAsSpringBootMakesItWorks() throws IOException {
    Path nested = folder.resolve("nested.jar");
    Manifest manifest = manifest("org.springframework.boot.loader.launch.JarLauncher");
    manifest.getMainAttributes().putValue("Start-Class", Application.MAIN);
    manifest.getMainAttributes().putValue("Enable-Native-Access", "ALL-UNNAMED");
    manifest.getMainAttributes().putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
    manifest.getMainAttributes().putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(nested), manifest)) {
      copyFiles(Path.of(System.getProperty("launcher")), "", out);
      copyFiles(application.classes(), "BOOT-INF/classes/", out);
      directory("BOOT-INF/lib/", out);
      for (Path jar : Application.list(application.jars())) {
        store("BOOT-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar), out);
      }
    }
    application.assertWorks("-jar", nested.toString());
  }

  @Test
  void aRelocatedCoreClosesAfterTheCompactionThatRuns() throws IOException {
    Path relocated = Path.of(System.getProperty("relocated"));
    Application.Finished finished =
        Application.run(
            folder,
            List.of(
                Application.java().toString(), UNNAMED, "-Dorg.rocksdbffm.cache=" + folder.resolve("cache"), "-cp",
                relocated.toString(), Path.of("src/test/programs/relocated/ClosedWhileItCompacts.java").toAbsolutePath()
                    .toString(),
                folder.resolve("db").toString()));
    assertEquals("compacted\n", finished.output());
  }

  private static void copyFiles(Path from, String to, JarOutputStream out) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.sorted().toList()) {
        String name = to + from.relativize(file);
        if (Files.isRegularFile(file)) {
          out.putNextEntry(new JarEntry(name));
          Files.copy(file, out);
          out.closeEntry();
        } else if (!name.isEmpty()) {
          directory(name.endsWith("/") ? name : name + "/", out);
        }
      }
    }
  }

  private static void directory(String name, JarOutputStream out) throws IOException {
    if (!name.startsWith("META-INF")) {
      out.putNextEntry(new JarEntry(name));
      out.closeEntry();
    }
  }

  /** Writes an uncompressed entry, because the launcher requires uncompressed nested jars. */
  private static void store(String name, byte[] content, JarOutputStream out) throws IOException {
    JarEntry entry = new JarEntry(name);
    CRC32 crc = new CRC32();
    crc.update(content);
    entry.setMethod(JarEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(crc.getValue());
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }

  @Test
  void twoClassLoadersOfOneJvmEachHaveTheirOwn() throws IOException {
    Path classes = Files.createDirectory(folder.resolve("own"));
    copyClass(TwoClassLoaders.class, classes);
    Application.Finished finished =
        Application.run(
            folder,
            List.of(
                Application.java().toString(), "--illegal-native-access=deny", UNNAMED,
                "-Dorg.rocksdbffm.cache=" + folder.resolve("cache"), "-cp", classes.toString(),
                TwoClassLoaders.class.getName(), application.classPath()));
    assertEquals(Application.WORKS + "\n" + Application.WORKS + "\n", finished.output());
  }

  private static void copyClass(Class<?> type, Path folder) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      type.getClassLoader().getResourceAsStream(name).transferTo(out);
    }
  }

  private static Manifest manifest(String main) {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main);
    manifest.getMainAttributes().putValue("Multi-Release", "true");
    return manifest;
  }

  /** Runs the program in two class loaders of one JVM, one after the other; both stay reachable. */
  static final class TwoClassLoaders {
    public static void main(String[] arguments) throws Exception {
      List<URLClassLoader> loaders = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        List<URL> urls = new ArrayList<>();
        for (String entry : arguments[0].split(":")) {
          urls.add(Path.of(entry).toUri().toURL());
        }
        URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null);
        loaders.add(loader);
        loader.loadClass("application.Main").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
      }
    }
  }
}
