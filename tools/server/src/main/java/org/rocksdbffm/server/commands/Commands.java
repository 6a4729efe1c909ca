/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.rocksdbffm.server.protocol.ClientRequest;
import org.rocksdbffm.server.store.ValueStore;

/** The server's commands, which work on the database. Thread-safe. */
public final class Commands {
  static final SimpleStringRedisMessage OK = new SimpleStringRedisMessage("OK");

  /** Larger values are written on a background thread, because copying them would block the event loop. */
  private static final int LARGE = 256 << 10;

  /** The settings that redis-benchmark reads before it starts. */
  private static final Map<String, String> CONFIGURATION = Map.of("save", "", "appendonly", "yes");

  private final ValueStore store;
  private final Supplier<String> info;
  private final Scanning scanning;

  public Commands(ValueStore store, ScanCursors cursors, int longestKey, Supplier<String> info) {
    this.store = store;
    this.info = info;
    this.scanning = new Scanning(store, cursors, longestKey);
  }

  public ValueStore store() {
    return store;
  }

  /** Starts a command. The caller still owns the command, and releases it when the work is done. */
  public CommandWork begin(ClientRequest command) {
    return switch (command.name()) {
      case "GET" -> command.count() == 1 ? new ValueReader(store, command, false) : wrongCount(command);
      case "MGET" -> command.count() >= 1 ? new ValueReader(store, command, true) : wrongCount(command);
      case "EXISTS" ->
          command.count() >= 1
              ? new CountingCommand(command, (key, mayWait) -> store.size(key, mayWait) >= 0)
              : wrongCount(command);
      case "DEL", "UNLINK" -> command.count() >= 1 ? new CountingCommand(command, this::delete) : wrongCount(command);
      case "STRLEN" ->
          command.count() == 1
              ? new OneAnswer(wait -> new IntegerRedisMessage(Math.max(0, store.size(command.argument(1), wait))))
              : wrongCount(command);
      case "SET" -> set(command);
      case "SCAN" ->
          command.count() >= 1 ? new OneAnswer(wait -> scanning.answer(command, wait)) : wrongCount(command);
      case "ECHO" -> command.count() == 1 ? echo(command) : wrongCount(command);
      case "PING" ->
          switch (command.count()) {
            case 0 -> reply(new SimpleStringRedisMessage("PONG"));
            case 1 -> echo(command);
            default -> wrongCount(command);
          };
      case "INFO" -> new OneAnswer(wait -> text(info.get()));
      case "DBSIZE" -> new OneAnswer(wait -> new IntegerRedisMessage(store.estimatedCount()));
      case "COMMAND" ->
          reply(isFirst(command, "COUNT") ? new IntegerRedisMessage(0) : ArrayRedisMessage.EMPTY_INSTANCE);
      case "CONFIG" -> isFirst(command, "GET") ? configuration(command) : unknown(command);
      case "SETEX", "PSETEX", "EXPIRE", "PEXPIRE" ->
          reply(error("ERR " + command.name() + ": nothing expires here; use SET"));
      default -> unknown(command);
    };
  }

  public static CommandWork reply(RedisMessage answer) {
    return new OneAnswer(wait -> answer);
  }

  public static ErrorRedisMessage error(String message) {
    return new ErrorRedisMessage(message.replace('\r', ' ').replace('\n', ' '));
  }

  static RedisMessage text(String text) {
    return new FullBulkStringRedisMessage(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  static boolean isFirst(ClientRequest command, String word) {
    return command.count() >= 1 && command.text(1).equalsIgnoreCase(word);
  }

  static CommandWork unknown(ClientRequest command) {
    String name = command.text(0);
    return reply(error("ERR unknown command '" + name.substring(0, Math.min(64, name.length())) + "'"));
  }

  static CommandWork wrongCount(ClientRequest command) {
    return reply(error("ERR wrong number of arguments for '" + command.name().toLowerCase(Locale.ROOT) + "' command"));
  }

  private static CommandWork echo(ClientRequest command) {
    return new OneAnswer(wait -> new FullBulkStringRedisMessage(command.argument(1).retain()));
  }

  private CommandWork set(ClientRequest command) {
    if (command.count() < 2) {
      return wrongCount(command);
    }
    if (command.count() > 2) {
      return reply(error("ERR SET takes a key and a value here: nothing expires, and there are no conditions"));
    }
    ByteBuf value = command.argument(2);
    return new OneAnswer(
        wait -> {
          requireMayWait(wait || value.readableBytes() <= LARGE);
          store.put(command.argument(1), value, wait);
          return OK;
        });
  }

  private boolean delete(ByteBuf key, boolean mayWait) {
    requireMayWait(mayWait);
    return store.delete(key);
  }

  private static void requireMayWait(boolean mayWait) {
    if (!mayWait) {
      throw new ValueStore.WouldWait(null);
    }
  }

  private static CommandWork configuration(ClientRequest command) {
    String name = command.count() == 2 ? command.text(2).toLowerCase(Locale.ROOT) : "";
    String value = CONFIGURATION.get(name);
    return new ImmediateReply(
        answers -> {
          answers.map(value == null ? 0 : 1);
          if (value != null) {
            answers.text(name).text(value);
          }
        });
  }
}
