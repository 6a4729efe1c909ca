/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;

/**
 * A program that is killed while it commits and prepares transactions; see {@link TransactionKillTest}. It writes a
 * line before and after each step.
 */
final class TransactionKillCases {
  static final String MOVED = "moved";
  static final int ACCOUNTS = 4;
  static final int BALANCE = 1000;

  private TransactionKillCases() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    int round = Integer.parseInt(arguments[1]);
    try (TransactionDb db = TransactionDb.open(folder.resolve("db"))) {
      Thread.ofPlatform().daemon().start(() -> move(db, folder));
      promise(db, folder, round);
    }
  }

  static byte[] account(int number) {
    return bytes("account" + number);
  }

  static int number(KeyReader reader, byte[] key) {
    byte[] value = reader.get(key);
    return value == null ? 0 : Integer.parseInt(text(value));
  }

  private static void move(TransactionDb db, Path folder) {
    Random random = new Random();
    while (true) {
      byte[] from = account(random.nextInt(ACCOUNTS));
      byte[] to = account(random.nextInt(ACCOUNTS));
      int moved =
          db.callInTransaction(
              transaction -> {
                int count = number(transaction.forUpdate(), bytes(MOVED)) + 1;
                transaction.put(from, bytes("" + (number(transaction.forUpdate(), from) - 1)));
                transaction.put(to, bytes("" + (number(transaction.forUpdate(), to) + 1)));
                transaction.put(bytes(MOVED), bytes("" + count));
                return count;
              });
      say(folder.resolve(MOVED), "" + moved);
    }
  }

  private static void promise(TransactionDb db, Path folder, int round) {
    Random random = new Random();
    Path said = folder.resolve("promises");
    for (int i = 0; ; i++) {
      String name = "p" + round + "-" + i;
      Transaction transaction = db.begin();
      transaction.put(bytes(name + "/1"), bytes(name));
      transaction.put(bytes(name + "/2"), new byte[2000]);
      say(said, "prepare " + name);
      transaction.prepare(name);
      say(said, "prepared " + name);
      switch (i == 0 ? 2 : random.nextInt(3)) { // the first transaction stays prepared
        case 0 -> {
          say(said, "commit " + name);
          transaction.commit();
          say(said, "committed " + name);
        }
        case 1 -> {
          say(said, "rollback " + name);
          transaction.rollback();
          say(said, "rolledback " + name);
        }
        default -> transaction.close();
      }
      if (i % 50 == 0) {
        db.flush();
      }
    }
  }

  private static void say(Path file, String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
