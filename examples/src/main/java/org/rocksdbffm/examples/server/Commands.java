/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What commands do. Thread-safe. */
final class Commands {
  private static final SimpleStringRedisMessage OK = new SimpleStringRedisMessage("OK");
  private static final int MOST_SCANNED = 10_000;

  private final Store store;
  private final Supplier<String> info;
  private final ScanCursors cursors = new ScanCursors();

  Commands(Store store, Supplier<String> info) {
    this.store = store;
    this.info = info;
  }

  Store store() {
    return store;
  }

  /**
   * Answers a command, which stays the caller's.
   *
   * @throws Store.WouldWait if it may not wait and would; ask again where it may
   */
  RedisMessage answer(Command command, boolean mayWait) {
    return switch (command.name()) {
      case "GET" -> command.count() == 1 ? bulk(store.get(command.argument(1), mayWait)) : wrongCount(command);
      case "SET" -> set(command, mayWait);
      case "MGET" -> command.count() >= 1 ? many(store.multiGet(command.rest(), mayWait)) : wrongCount(command);
      case "STRLEN" ->
          command.count() == 1
              ? new IntegerRedisMessage(Math.max(0, store.size(command.argument(1), mayWait)))
              : wrongCount(command);
      case "EXISTS" -> command.count() >= 1 ? new IntegerRedisMessage(existing(command, mayWait)) : wrongCount(command);
      case "DEL" -> command.count() >= 1 ? delete(command, mayWait) : wrongCount(command);
      case "SCAN" -> command.count() >= 1 ? scan(command, mayWait) : wrongCount(command);
      case "PING" -> ping(command);
      case "ECHO" -> command.count() == 1 ? bulk(command.argument(1).retain()) : wrongCount(command);
      case "INFO" -> text(info.get());
      case "COMMAND" -> new ArrayRedisMessage(List.of());
      case "SETEX", "PSETEX", "EXPIRE", "PEXPIRE" ->
          error("ERR " + command.name() + ": nothing expires here; use SET");
      default -> error("ERR unknown command '" + shortened(command.text(0)) + "'");
    };
  }

  static ErrorRedisMessage error(String message) {
    return new ErrorRedisMessage(message.replace('\r', ' ').replace('\n', ' '));
  }

  private static String shortened(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64);
  }

  private static RedisMessage wrongCount(Command command) {
    return error("ERR wrong number of arguments for '" + command.name().toLowerCase(Locale.ROOT) + "' command");
  }

  private static RedisMessage bulk(ByteBuf value) {
    return value == null ? FullBulkStringRedisMessage.NULL_INSTANCE : new FullBulkStringRedisMessage(value);
  }

  private static RedisMessage text(String text) {
    return bulk(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  private static RedisMessage many(List<ByteBuf> values) {
    List<RedisMessage> messages = new ArrayList<>(values.size());
    values.forEach(value -> messages.add(bulk(value)));
    return new ArrayRedisMessage(messages);
  }

  private RedisMessage set(Command command, boolean mayWait) {
    if (command.count() < 2) {
      return wrongCount(command);
    }
    if (command.count() > 2) {
      return error("ERR SET takes a key and a value here: nothing expires, and there are no conditions");
    }
    store.put(command.argument(1), command.argument(2), mayWait);
    return OK;
  }

  private long existing(Command command, boolean mayWait) {
    return command.rest().stream().filter(key -> store.size(key, mayWait) >= 0).count();
  }

  private RedisMessage delete(Command command, boolean mayWait) {
    requireMayWait(mayWait);
    return new IntegerRedisMessage(store.delete(command.rest()));
  }

  private static void requireMayWait(boolean mayWait) {
    if (!mayWait) {
      throw new Store.WouldWait(null);
    }
  }

  private static RedisMessage ping(Command command) {
    return switch (command.count()) {
      case 0 -> new SimpleStringRedisMessage("PONG");
      case 1 -> bulk(command.argument(1).retain());
      default -> wrongCount(command);
    };
  }

  /** Reads some keys from the cursor on; those that match are told. */
  private RedisMessage scan(Command command, boolean mayWait) {
    Glob pattern = null;
    int count = 10;
    byte[] from;
    try {
      from = cursors.key(Long.parseUnsignedLong(command.text(1)));
      for (int i = 2; i < command.arguments().size(); i += 2) {
        if (i + 1 == command.arguments().size()) {
          return error("ERR syntax error");
        }
        switch (command.text(i).toUpperCase(Locale.ROOT)) {
          case "MATCH" -> pattern = new Glob(io.netty.buffer.ByteBufUtil.getBytes(command.argument(i + 1)));
          case "COUNT" -> count = Integer.parseInt(command.text(i + 1));
          default -> {
            return error("ERR syntax error");
          }
        }
      }
    } catch (NumberFormatException e) {
      return error("ERR value is not an integer or out of range");
    }
    if (from == null) {
      return error("ERR the cursor is unknown or too old: begin again with 0");
    }
    if (count < 1) {
      return error("ERR syntax error");
    }
    requireMayWait(mayWait);
    int asked = Math.min(count, MOST_SCANNED);
    List<byte[]> keys = store.keys(from, asked + 1);
    long next = keys.size() > asked ? cursors.add(keys.removeLast()) : 0;
    List<RedisMessage> told = new ArrayList<>();
    for (byte[] key : keys) {
      if (pattern == null || pattern.matches(key)) {
        told.add(bulk(Unpooled.wrappedBuffer(key)));
      }
    }
    return new ArrayRedisMessage(Arrays.asList(text(Long.toUnsignedString(next)), new ArrayRedisMessage(told)));
  }
}
