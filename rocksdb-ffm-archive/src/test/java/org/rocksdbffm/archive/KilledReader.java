/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.rocksdbffm.Follower;

/** Follows or prunes an archive until it is killed; prints a line for each catch-up or prune. */
final class KilledReader {
  static final Archive.Policy NEWEST = new Archive.Policy(Duration.ZERO, Duration.ofDays(1), Duration.ZERO);

  private KilledReader() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    ObjectStore store = new HostileStore(FolderStore.open(folder.resolve("store")), seed, 30);
    if (arguments[0].equals("prune")) {
      prune(store);
    } else {
      follow(store, folder.resolve("follower"));
    }
  }

  private static void prune(ObjectStore store) throws IOException {
    while (true) {
      System.out.println(Archive.in(store).prune(NEWEST).objects());
    }
  }

  private static void follow(ObjectStore store, Path folder) throws Exception {
    try (ArchiveFollower follower = ArchiveFollower.open(store, folder, Follower::open)) {
      while (true) {
        System.out.println(numberOf(follower));
        follower.catchUp();
      }
    }
  }

  /** Returns the number that each of two families has; throws if they differ. */
  static long numberOf(ArchiveFollower follower) {
    return follower.read(db -> {
      String one = new String(db.get("n".getBytes(UTF_8)), UTF_8);
      String other = new String(db.family("second").get("n".getBytes(UTF_8)), UTF_8);
      if (!one.equals(other)) {
        throw new AssertionError(one + " and " + other);
      }
      return Long.parseLong(one);
    });
  }

  /** Runs a reader, and kills it at a random point in time after some lines; returns the last whole line. */
  static String killed(String role, Path folder, long seed, int lines, long millis) throws Exception {
    Path output = folder.resolve("output-" + role);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledReader.class.getName(),
                role,
                folder.toString(),
                Long.toString(seed))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      Await.printed(process, output, lines);
      Thread.sleep(millis);
    } finally {
      process.destroyForcibly().waitFor();
    }
    String text = Files.readString(output);
    return text.substring(0, text.lastIndexOf('\n')).lines().toList().getLast();
  }
}
