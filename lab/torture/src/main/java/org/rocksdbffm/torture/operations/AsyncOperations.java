/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.AsyncWriter;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;

/** Reads and writes whose results are futures, by the caller or by another thread. */
final class AsyncOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("readLater", 40, AsyncOperations::read),
          new Operation("changeLater", 40, AsyncOperations::change));

  private static final Duration LONG = Duration.ofDays(1);
  private static final int LONG_VALUE = 30_000;

  private AsyncOperations() {}

  private static void read(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    AsyncReader reader = question.reader().async(Runnable::run, 1);
    reader = attempt.oneIn(3) ? reader.timeout(LONG) : reader;
    reader = attempt.oneIn(3) ? reader.completeOn(ForkJoinPool.commonPool()) : reader;
    byte[] key = question.key();
    switch (attempt.random.nextInt(6)) {
      case 0 -> question.check(join(reader.get(key)), attempt);
      case 1 -> question.check(join(reader.get(ClientBytes.segment(key, attempt))), attempt);
      case 2 -> check(question, join(reader.getPinned(key)), attempt);
      case 3 -> check(question, join(reader.getPinned(ClientBytes.segment(key, attempt))), attempt);
      case 4 -> join(reader.multiGet(List.of(key, key))).forEach(value -> question.check(value, attempt));
      default -> {
        byte[] value = join(reader.submit(keys -> keys.get(key)));
        question.check(value, attempt);
      }
    }
  }

  private static void check(ReadOperations.Question question, PinnedValue value, Attempt attempt) {
    try (value;
        PinnedValue.View view = value == null ? null : value.view()) {
      question.check(view == null ? null : view.segment().toArray(ValueLayout.JAVA_BYTE), attempt);
    }
  }

  private static void change(Attempt attempt) {
    WriteOperations.Target target = WriteOperations.Target.choose(attempt);
    AsyncWriter writer = target.space().asyncWriter(attempt.oneIn(2) ? Runnable::run : ForkJoinPool.commonPool(), 4);
    byte[] key = WriteOperations.anyKey(attempt);
    byte[] value = Arrays.copyOf(ClientBytes.value(attempt.random), 100);
    byte[] old = target.rows().get(key);
    switch (attempt.random.nextInt(4)) {
      case 0 -> {
        join(writer.delete(key));
        target.rows().remove(key);
      }
      case 1 -> {
        join(writer.put(key, value));
        target.rows().put(key, value);
      }
      case 2 -> {
        boolean isLong = old != null && old.length > LONG_VALUE;
        join(isLong ? writer.put(key, value) : writer.merge(key, value));
        target.rows().put(key, isLong ? value : WriteOperations.merged(old, value));
      }
      default -> {
        WriteBatch batch = new WriteBatch();
        KeyWriter keys = target.space() instanceof ColumnFamily family ? batch.in(family) : batch;
        keys.put(key, value);
        boolean isOfBatch = keys != batch || target.space() instanceof RocksDb;
        join(isOfBatch ? writer.write(batch) : writer.put(key, value));
        target.rows().put(key, value);
      }
    }
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
