/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.server.protocol.ClientRequest;

/** The session of a client: whether it is authenticated, its name, and its version of the protocol. */
public final class ClientSession {
  private static final AtomicLong LAST = new AtomicLong();
  private static final int LONGEST_NAME = 64;
  private static final RedisMessage LONG_NAME =
      Commands.error("ERR the name of a client has at most " + LONGEST_NAME + " characters");

  private final byte[] password;
  private final long id = LAST.incrementAndGet();
  private boolean admitted;
  private int protocol = 2;
  private String name;

  /** Admits all clients if there is no password. */
  public ClientSession(String password) {
    this.password = password == null ? null : password.getBytes(StandardCharsets.UTF_8);
    this.admitted = password == null;
  }

  public boolean isAdmitted() {
    return admitted;
  }

  /** Returns the work of a session command, or an error if authentication is missing; null for other commands. */
  public CommandWork begin(ClientRequest command) {
    return switch (command.name()) {
      case "AUTH" -> Commands.reply(authenticate(command));
      case "HELLO" -> hello(command);
      case "QUIT" -> Commands.reply(Commands.OK);
      default ->
          !admitted ? Commands.reply(Commands.error("NOAUTH Authentication required.")) : aboutTheClient(command);
    };
  }

  private CommandWork aboutTheClient(ClientRequest command) {
    return switch (command.name()) {
      case "CLIENT" -> command.count() >= 1 ? client(command) : Commands.wrongCount(command);
      case "SELECT" ->
          Commands.reply(
              Commands.isFirst(command, "0") ? Commands.OK
                  : Commands.error("ERR DB index is out of range: there is 0"));
      default -> null;
    };
  }

  private RedisMessage authenticate(ClientRequest command) {
    if (command.count() < 1 || command.count() > 2) {
      return Commands.error("ERR wrong number of arguments for 'auth' command");
    }
    if (password == null) {
      return Commands.error("ERR no password is configured");
    }
    return isPassword(command, command.count())
        ? Commands.OK
        : Commands.error("WRONGPASS invalid username-password pair or user is disabled.");
  }

  private boolean isPassword(ClientRequest command, int argument) {
    byte[] given = ByteBufUtil.getBytes(command.argument(argument));
    boolean isRight = password == null || MessageDigest.isEqual(password, given);
    admitted |= isRight;
    return isRight;
  }

  /** Sets the client's version of the protocol, and replies with the server's properties. */
  private CommandWork hello(ClientRequest command) {
    int version = protocol;
    String newName = name;
    if (command.count() >= 1) {
      String asked = command.text(1);
      if (!asked.equals("2") && !asked.equals("3")) {
        return Commands.reply(Commands.error("NOPROTO unsupported protocol version"));
      }
      version = Integer.parseInt(asked);
    }
    for (int i = 2; i <= command.count(); ) {
      String option = command.text(i).toUpperCase(Locale.ROOT);
      if (option.equals("AUTH") && i + 2 <= command.count()) {
        if (!isPassword(command, i + 2)) {
          return Commands.reply(Commands.error("WRONGPASS invalid username-password pair or user is disabled."));
        }
        i += 3;
      } else if (option.equals("SETNAME") && i + 1 <= command.count()) {
        newName = command.text(i + 1);
        i += 2;
      } else {
        return Commands.reply(Commands.error("ERR syntax error in HELLO"));
      }
    }
    if (!admitted) {
      return Commands.reply(Commands.error("NOAUTH HELLO must be called with AUTH, as a password is configured"));
    }
    if (newName != null && newName.length() > LONGEST_NAME) {
      return Commands.reply(LONG_NAME);
    }
    protocol = version;
    name = newName;
    return new ImmediateReply(this::greet);
  }

  private CommandWork client(ClientRequest command) {
    String subcommand = command.text(1).toUpperCase(Locale.ROOT);
    return switch (subcommand) {
      case "SETINFO", "NO-EVICT", "NO-TOUCH" -> Commands.reply(Commands.OK);
      case "ID" -> Commands.reply(new IntegerRedisMessage(id));
      case "GETNAME" ->
          new OneAnswer(wait -> name == null ? FullBulkStringRedisMessage.NULL_INSTANCE : Commands.text(name));
      case "SETNAME" -> command.count() == 2 ? named(command.text(2)) : Commands.wrongCount(command);
      default -> Commands.reply(Commands.error("ERR unknown subcommand of CLIENT"));
    };
  }

  private CommandWork named(String newName) {
    if (newName.length() > LONGEST_NAME) {
      return Commands.reply(LONG_NAME);
    }
    name = newName;
    return Commands.reply(Commands.OK);
  }

  private void greet(ReplyWriter answers) {
    answers.speak(protocol);
    answers.map(7);
    answers.text("server").text("rocksdb-ffm");
    answers.text("version").text("0.1.0");
    answers.text("proto").integer(protocol);
    answers.text("id").integer(id);
    answers.text("mode").text("standalone");
    answers.text("role").text("master");
    answers.text("modules").array(0);
  }
}
