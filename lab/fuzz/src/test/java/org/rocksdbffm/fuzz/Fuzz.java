/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.fuzz;

import com.code_intelligence.jazzer.Jazzer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Fuzzes all targets with Jazzer until the first finding. The first byte of an input is the target's number. */
public final class Fuzz {
  private Fuzz() {}

  /** Runs an input; called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length > 0) {
      Target.values()[(input[0] & 0xff) % Target.values().length].run(Arrays.copyOfRange(input, 1, input.length));
    }
  }

  /** Runs Jazzer with options of libFuzzer, such as {@code -runs=1000}, or with the file of a finding. */
  public static void main(String[] options) throws Exception {
    Path corpus = Files.createDirectories(Path.of("corpus"));
    for (Target target : Target.values()) {
      for (byte[] seed : target.seeds()) {
        byte[] input = ByteBuffer.allocate(1 + seed.length).put((byte) target.ordinal()).put(seed).array();
        Files.write(corpus.resolve(target + "-" + Arrays.hashCode(seed)), input);
      }
    }
    List<String> command = new ArrayList<>(List.of(
        "--target_class=" + Fuzz.class.getName(),
        "--instrumentation_includes=org.rocksdbffm.**",
        "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.*",
        "-max_len=4096",
        "-timeout=10",
        "-print_final_stats=1"));
    command.addAll(List.of(options));
    command.add(corpus.toString());
    Jazzer.main(command.toArray(String[]::new));
  }
}
