/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;

/** How a database is opened: its kind of transactions, and options that change how the engine logs and flushes. */
record KillSetting(Kind kind, String options) {
  /** Small buffers, for constant flushes and compactions. */
  static final FamilyOptions FAMILY =
      FamilyOptions.defaults()
          .writeBufferSize(ByteSize.kib(64))
          .targetFileSizeBase(ByteSize.kib(64));

  private static final String ATOMIC = "atomic_flush=true";

  /** The option is not supported together with {@link #ATOMIC}, and in databases with two-phase commits. */
  private static final String PIPELINED = "enable_pipelined_write=true";

  /** The option is not supported together with writes without WAL. */
  private static final String RECYCLED = "recycle_log_file_num=2";

  private static final List<String> OTHERS =
      List.of(
          "allow_2pc=true",
          "avoid_flush_during_recovery=true",
          "max_total_wal_size=262144",
          RECYCLED,
          "track_and_verify_wals_in_manifest=true",
          "wal_compression=kZSTD");

  /** The kinds of databases. */
  enum Kind {
    PLAIN,
    OPTIMISTIC,
    PESSIMISTIC;

    private RocksDb open(Opening opening) {
      return switch (this) {
        case PLAIN -> opening.open();
        case OPTIMISTIC -> opening.openOptimistic();
        case PESSIMISTIC -> opening.openTransactional();
      };
    }
  }

  KillSetting {
    Stream<String> supported =
        Stream.of(options.split(";")).filter(option -> kind != Kind.PESSIMISTIC || !option.equals(PIPELINED));
    options = supported.collect(Collectors.joining(";"));
  }

  /** Draws a setting; each option is set in one of three. */
  static KillSetting random(Random random) {
    List<String> chosen = new ArrayList<>();
    if (random.nextBoolean()) {
      chosen.add(random.nextInt(3) == 0 ? PIPELINED : ATOMIC);
    }
    for (String option : OTHERS) {
      if (random.nextInt(3) == 0) {
        chosen.add(option);
      }
    }
    return new KillSetting(Kind.values()[random.nextInt(Kind.values().length)], String.join(";", chosen));
  }

  KillSetting with(Kind other) {
    return new KillSetting(other, options);
  }

  /** Whether all families are flushed together, so that batches without WAL are not torn. */
  boolean isAtomic() {
    return options.contains(ATOMIC);
  }

  boolean allowsUnlogged() {
    return !options.contains(RECYCLED);
  }

  /** Opens the database, with the keys in the folder, if there are any. */
  RocksDb open(Path folder) {
    Path keys = folder.resolve("keys");
    DatabaseOptions plain = DatabaseOptions.parse(options);
    DatabaseOptions all = Files.exists(keys) ? plain.encryption(EncryptionKeys.ofFile(keys)) : plain;
    return kind.open(RocksDb.at(folder.resolve("db")).options(all).defaults(FAMILY));
  }
}
