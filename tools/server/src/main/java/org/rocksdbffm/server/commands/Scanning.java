/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rocksdbffm.server.protocol.ClientRequest;
import org.rocksdbffm.server.store.ValueStore;

/** Reads keys for SCAN in parts, up to the requested number, or the largest size of a reply. Thread-safe. */
public final class Scanning {
  private static final int MOST_KEYS = 10_000;
  private static final int MOST_BYTES = 1 << 20;
  private static final long MOST_NANOS = 50_000_000;
  private static final int LONGEST_PATTERN = 1024;

  private final ValueStore store;
  private final ScanCursors cursors;
  private final int longestKey;

  /** Skips keys that are longer than the limit of clients' keys. */
  Scanning(ValueStore store, ScanCursors cursors, int longestKey) {
    this.store = store;
    this.cursors = cursors;
    this.longestKey = longestKey;
  }

  RedisMessage answer(ClientRequest command, boolean mayWait) {
    Glob pattern = null;
    int count = 10;
    byte[] from;
    try {
      from = cursors.place(Long.parseUnsignedLong(command.text(1)));
      for (int i = 2; i < command.arguments().size(); i += 2) {
        String option = command.text(i).toUpperCase(Locale.ROOT);
        if (i + 1 == command.arguments().size() || !option.equals("MATCH") && !option.equals("COUNT")) {
          return Commands.error("ERR syntax error");
        } else if (option.equals("COUNT")) {
          count = Integer.parseInt(command.text(i + 1));
        } else if (command.argument(i + 1).readableBytes() > LONGEST_PATTERN) {
          return Commands.error("ERR a pattern has at most " + LONGEST_PATTERN + " bytes");
        } else {
          pattern = new Glob(ByteBufUtil.getBytes(command.argument(i + 1)));
        }
      }
    } catch (NumberFormatException e) {
      return Commands.error("ERR value is not an integer or out of range");
    }
    if (from == null) {
      return Commands.error("ERR the cursor is unknown or too old: begin again with 0");
    }
    if (count < 1) {
      return Commands.error("ERR syntax error");
    }
    if (!mayWait) {
      throw new ValueStore.WouldWait(null);
    }
    var part = new Part(pattern, Math.min(count, MOST_KEYS));
    store.keys(from, part::add);
    return part.answer();
  }

  /** Collects keys in order until there are enough, and the next key. */
  private final class Part {
    private final Glob pattern;
    private final int most;
    private final long begin = System.nanoTime();
    private final List<RedisMessage> keys = new ArrayList<>();
    private int count;
    private long bytes;
    private byte[] last;
    private byte[] next;

    Part(Glob pattern, int most) {
      this.pattern = pattern;
      this.most = most;
    }

    boolean add(byte[] key) {
      if (count == most || bytes > MOST_BYTES || count > 0 && System.nanoTime() - begin > MOST_NANOS) {
        next = key;
        return false;
      }
      if (key.length <= longestKey && (pattern == null || pattern.matches(key))) {
        keys.add(new FullBulkStringRedisMessage(Unpooled.wrappedBuffer(key)));
      }
      count++;
      bytes += key.length;
      last = key;
      return true;
    }

    RedisMessage answer() {
      long cursor = next == null ? 0 : cursors.between(last, next);
      if (next != null && cursor == 0) {
        return Commands.error("ERR the next two keys are too long, and too much alike, to go on between them");
      }
      byte[] number = Long.toUnsignedString(cursor).getBytes(StandardCharsets.US_ASCII);
      return new ArrayRedisMessage(
          List.of(new FullBulkStringRedisMessage(Unpooled.wrappedBuffer(number)), new ArrayRedisMessage(keys)));
    }
  }
}
