/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.util.List;

/**
 * The plan of a measurement of the hand-off: sizes, servers and durations.
 *
 * @param sizes of values
 * @param transports of the server
 * @param securities kinds of connections: with TLS or without
 * @param warmUp the maximum, in seconds, for each server and size; ends earlier when little is compiled
 * @param seconds of a round
 * @param rounds of each server in each fork
 * @param forks the number of repetitions with new servers
 */
public record HandOffPlan(
    List<Integer> sizes,
    List<String> transports,
    List<String> securities,
    double warmUp,
    double seconds,
    int rounds,
    int forks) {
  static HandOffPlan parse(String... arguments) {
    HandOffPlan plan =
        new HandOffPlan(
            List.of(100, 4 << 10, 64 << 10, 1 << 20),
            List.of("epoll", "io_uring"),
            List.of("plain", "tls"),
            30,
            0.1,
            40,
            3);
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + ": a value is missing");
      }
      plan = plan.with(arguments[i], arguments[i + 1]);
    }
    return plan;
  }

  private HandOffPlan with(String option, String value) {
    List<String> values = List.of(value.split(","));
    return switch (option) {
      case "--sizes" ->
          new HandOffPlan(
              values.stream().map(Integer::valueOf).toList(), transports, securities, warmUp, seconds, rounds, forks);
      case "--transports" -> new HandOffPlan(sizes, values, securities, warmUp, seconds, rounds, forks);
      case "--security" -> new HandOffPlan(sizes, transports, values, warmUp, seconds, rounds, forks);
      case "--warm-up" ->
          new HandOffPlan(sizes, transports, securities, Double.parseDouble(value), seconds, rounds, forks);
      case "--seconds" ->
          new HandOffPlan(sizes, transports, securities, warmUp, Double.parseDouble(value), rounds, forks);
      case "--rounds" ->
          new HandOffPlan(sizes, transports, securities, warmUp, seconds, Integer.parseInt(value), forks);
      case "--forks" ->
          new HandOffPlan(sizes, transports, securities, warmUp, seconds, rounds, Integer.parseInt(value));
      default ->
          throw new IllegalArgumentException(
              option + ": known are --sizes, --transports, --security, --warm-up, --seconds, --rounds and --forks");
    };
  }
}
