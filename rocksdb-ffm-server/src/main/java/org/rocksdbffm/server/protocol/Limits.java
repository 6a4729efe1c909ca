/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of what clients may ask for. Each holds for every command, and is checked before a command is begun, so
 * that no request costs more than what stands here. A request over a limit is answered with an error that names it.
 *
 * @param valueBytes of one value, and of all other arguments of one command together
 * @param keyBytes of each argument that is no value
 * @param arguments of one command
 * @param pipelined commands of one client that were received and not begun
 * @param connections at once; no more than half of the file descriptors that are free at the start
 * @param idle after which a connection is closed
 * @param requestBytes of what all clients have sent and the server still keeps
 * @param pinnedBytes of all values on their way out together
 * @param cursorBytes of the keys that cursors of SCAN keep
 */
public record Limits(
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

  /** Limits for a small server. Requests and cursors are limited to a part of the size of the largest heap. */
  public static final Limits DEFAULT =
      new Limits(
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

  /** Whether an option of the command line sets one of these. */
  public static boolean isOption(String option) {
    return OPTIONS.containsKey(option);
  }

  /** The largest number that an option takes. */
  public static long largest(String option) {
    return switch (option) {
      case "--max-argument", "--max-key" -> 512 << 20;
      case "--max-requests", "--max-pinned" -> 1L << 40;
      case "--max-cursors" -> 1 << 30;
      case "--idle" -> Integer.MAX_VALUE;
      default -> 1 << 20;
    };
  }

  /** These limits with the one that an option sets. */
  public Limits with(String option, long number) {
    Map<String, Long> all = all();
    all.put(OPTIONS.get(option), number);
    return new Limits(
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

  /** The limits by the names that INFO has for them. */
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
