/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.runs;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of a random walk: {@code --minutes N} or {@code --seconds N}, {@code --seed S}, {@code --shrink
 * SECONDS}
 * for each new failure, and further ones.
 *
 * @param shrinking null if not given
 * @param others the values of further arguments, by name
 */
public record RunArguments(long seed, Duration time, Duration shrinking, Map<String, String> others) {
  /** Parses pairs of a name and a value. Ends the process with the usage if a name is not among the further ones. */
  public static RunArguments parse(String usage, List<String> further, String... words) {
    long seed = System.nanoTime();
    Duration time = Duration.ofMinutes(1);
    Duration shrinking = null;
    Map<String, String> others = new HashMap<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      String value = words[i + 1];
      switch (words[i]) {
        case "--minutes" -> time = Duration.ofMinutes(Long.parseLong(value));
        case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value));
        case "--seed" -> seed = Long.parseLong(value);
        case "--shrink" -> shrinking = Duration.ofSeconds(Long.parseLong(value));
        default -> {
          if (!further.contains(words[i])) {
            System.err.println(usage);
            System.exit(2);
          }
          others.put(words[i], value);
        }
      }
    }
    return new RunArguments(seed, time, shrinking, others);
  }

  public Duration shrinking(Duration otherwise) {
    return shrinking == null ? otherwise : shrinking;
  }

  /** Prints the seed and the time, with which a run can be repeated. */
  public void print() {
    System.out.println("seed " + seed + ", " + time);
  }
}
