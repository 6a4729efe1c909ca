/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of requests. They apply to every command, and are checked before a command starts, so that no request
 * costs more. The reply to a request over a limit is an error that names the limit.
 *
 * @param valueBytes of a value, and of all other arguments of a command together
 * @param keyBytes of each argument that is not a value
 * @param arguments of a command
 * @param pipelined commands of a client that were received and not started
 * @param connections open at the same time; at most half of the file descriptors that are free at the start
 * @param idle after which a connection is closed
 * @param requestBytes of the requests of all clients in the server's memory
 * @param pinnedBytes of all values that are being sent
 * @param cursorBytes of the keys of SCAN cursors
 */
public record ServerLimits(
    int valueBytes,
    int keyBytes,
    int arguments,
    int pipelined,
    int connections,
    Duration idle,
    long requestBytes,
    long pinnedBytes,
    long cursorBytes) {
  private static final long HEAP = Runtime.getRuntime().maxMemory();

  /** Limits for a small server. Requests and cursors are limited to a part of the maximum heap size. */
  public static final ServerLimits DEFAULT =
      new ServerLimits(
          64 << 20,
          64 << 10,
          10_000,
          10_000,
          1_000,
          Duration.ofMinutes(5),
          Math.min(1L << 30, HEAP / 4),
          1L << 30,
          Math.min(16L << 20, HEAP / 32));

  private static final Map<String, String> OPTIONS =
      Map.of(
          "--max-argument", "value_bytes",
          "--max-key", "key_bytes",
          "--max-arguments", "arguments",
          "--max-pipelined", "pipelined",
          "--max-connections", "connections",
          "--idle", "idle_seconds",
          "--max-requests", "request_bytes",
          "--max-pinned", "pinned_bytes",
          "--max-cursors", "cursor_bytes");

  /** Whether an option of the command line sets a limit. */
  public static boolean isOption(String option) {
    return OPTIONS.containsKey(option);
  }

  /** Returns the largest value of an option. */
  public static long largest(String option) {
    return switch (option) {
      case "--max-argument", "--max-key" -> 512 << 20;
      case "--max-requests", "--max-pinned" -> 1L << 40;
      case "--max-cursors" -> 1 << 30;
      case "--idle" -> Integer.MAX_VALUE;
      default -> 1 << 20;
    };
  }

  /** Returns these limits with the limit that an option sets. */
  public ServerLimits with(String option, long number) {
    Map<String, Long> all = all();
    all.put(OPTIONS.get(option), number);
    return new ServerLimits(
        all.get("value_bytes").intValue(),
        all.get("key_bytes").intValue(),
        all.get("arguments").intValue(),
        all.get("pipelined").intValue(),
        all.get("connections").intValue(),
        Duration.ofSeconds(all.get("idle_seconds")),
        all.get("request_bytes"),
        all.get("pinned_bytes"),
        all.get("cursor_bytes"));
  }

  /** Returns the limits by their names in INFO. */
  public Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    all.put("value_bytes", (long) valueBytes);
    all.put("key_bytes", (long) keyBytes);
    all.put("arguments", (long) arguments);
    all.put("pipelined", (long) pipelined);
    all.put("connections", (long) connections);
    all.put("idle_seconds", idle.toSeconds());
    all.put("request_bytes", requestBytes);
    all.put("pinned_bytes", pinnedBytes);
    all.put("cursor_bytes", cursorBytes);
    return all;
  }
}
