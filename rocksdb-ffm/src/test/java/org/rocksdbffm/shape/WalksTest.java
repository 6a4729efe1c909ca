/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;

/** Limits the files that a reader opens to follow a call to its deepest frame, as the Flight Recorder traces it. */
class WalksTest {
  // Without garbage collections, because an opening would reclaim leaked objects.
  private static final String[] FLAGS = {
    "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx1g", "--add-modules", "jdk.jfr",
    "-Dorg.rocksdbffm.slowMillis=60000"
  };

  @ParameterizedTest
  @CsvSource({"open, 12", "get, 5", "put, 6", "scan, 8"})
  void aCallPassesThroughFewFiles(String call, int most) {
    String output = ChildJvm.of(Walk.class).with(FLAGS).run(call).assertExit(0).output();
    long files = output.lines().filter(line -> line.startsWith("file ")).count();
    assertTrue(files > 2 && files <= most, output);
  }

  /** Prints the files of the deepest stack of the named call. */
  static final class Walk {
    private static final byte[] ROW = "row".getBytes(UTF_8);
    private static final Map<String, Consumer<RocksDb>> CALLS =
        Map.of("get", db -> db.get(ROW), "put", db -> db.put(ROW, ROW), "scan", db -> db.scan(KeyRange.all()));

    public static void main(String[] arguments) throws Exception {
      try (RocksDb first = open()) {
        CALLS.values().forEach(call -> call.accept(first)); // initializes classes, which only a first call does
      }
      List<Set<String>> stacks = new ArrayList<>();
      if (arguments[0].equals("open")) {
        List<RocksDb> opened = new ArrayList<>();
        stacks.addAll(stacksOf(() -> opened.add(open())));
        opened.getFirst().close();
      } else {
        try (RocksDb db = open()) {
          stacks.addAll(stacksOf(() -> CALLS.get(arguments[0]).accept(db)));
        }
      }
      Set<String> deepest = Collections.max(stacks, Comparator.comparing(Set::size));
      deepest.forEach(file -> System.out.println("file " + file));
    }

    private static RocksDb open() {
      return RocksDb.open(Path.of("db"));
    }

    private static List<Set<String>> stacksOf(Runnable call) throws IOException {
      String classes = CompiledClasses.all().stream().map(CompiledClasses::nameOf)
          .filter(name -> !name.startsWith(CompiledClasses.BINDINGS + "."))
              .collect(Collectors.joining(";"));
      Path file = Path.of("walk.jfr");
      try (Recording recording = new Recording()) {
        recording.enable("jdk.MethodTrace").with("filter", classes).withStackTrace().withThreshold(Duration.ZERO);
        recording.start();
        call.run();
        recording.stop();
        recording.dump(file);
      }
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals("jdk.MethodTrace"))
          .filter(event -> event.getThread().getJavaName().equals("main"))
          .map(Walk::files)
          .toList();
    }

    private static Set<String> files(RecordedEvent event) {
      Set<String> files = new LinkedHashSet<>();
      files.add(file(event.getValue("method")));
      event.getStackTrace().getFrames().stream().map(RecordedFrame::getMethod).map(Walk::file).forEach(files::add);
      files.removeIf(name -> !name.startsWith("org.rocksdbffm.") || name.startsWith(WalksTest.class.getName()));
      return files;
    }

    private static String file(RecordedMethod method) {
      return method.getType().getName().replaceFirst("\\$.*", "");
    }
  }
}
