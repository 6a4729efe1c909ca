/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Stream;
import org.rocksdbffm.Columns;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.Entity;
import org.rocksdbffm.EntityCodec;
import org.rocksdbffm.EntityReader;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;

/**
 * Entities: the default column is the model's value, and another column, if present, contains the key. Some of the keys
 * have plain values.
 */
public final class EntityOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("putEntity", 120, EntityOperations::put),
          new Operation("getEntity", 120, EntityOperations::get),
          new Operation("getEntities", 40, EntityOperations::getMany),
          new Operation("entitiesInOrder", 20, EntityOperations::forEach),
          new Operation("entityOfCursor", 40, EntityOperations::ofCursor),
          new Operation("records", 40, EntityOperations::records),
          new Operation("mergeOperands", 40, EntityOperations::operands));

  private static final String KEY = "key";

  /** The columns of an entity: the default column, and perhaps another with the key. */
  private record Both(byte[] value, byte[] key) {}

  private static final EntityCodec<Both> CODEC =
      EntityCodec.of(MethodHandles.lookup(), Both.class).named("value", "").with(KEY, KeyCodec.bytes());

  private EntityOperations() {}

  private static Columns columns(byte[] key, byte[] value, Attempt attempt) {
    Columns columns = new Columns();
    if (attempt.oneIn(2)) {
      columns.add(KEY.getBytes(StandardCharsets.UTF_8), ClientBytes.segment(key, attempt));
    }
    return columns.add("", value);
  }

  private static void put(Attempt attempt) {
    WriteOperations.Target target = WriteOperations.Target.choose(attempt);
    byte[] key = WriteOperations.anyKey(attempt);
    byte[] value = ClientBytes.value(attempt.random);
    WriteBatch batch = new WriteBatch();
    KeyWriter writer = attempt.oneIn(4) ? batch : target.space();
    boolean isOfDefault = target.place().isDefaultFamily();
    if (writer == batch && !isOfDefault) {
      writer = target.space();
    }
    if (attempt.oneIn(2)) {
      writer.putEntity(key, columns(key, value, attempt));
    } else {
      writer.putEntity(ClientBytes.segment(key, attempt), columns(key, value, attempt));
    }
    if (batch.count() != 0) {
      target.space().write(batch);
    }
    target.rows().put(key, value);
  }

  private static void check(ReadOperations.Question question, byte[] key, Entity entity, Attempt attempt) {
    question.check(entity == null ? null : entity.value(""), attempt);
    if (entity != null) {
      checkColumns(key, entity, attempt);
    }
  }

  private static void checkColumns(byte[] key, Entity entity, Attempt attempt) {
    long size = 0;
    for (int i = 0; i < entity.count(); i++) {
      size += entity.name(i).byteSize() + entity.value(i).byteSize();
    }
    attempt.check(size == entity.size(), "the size of an entity");
    byte[] copy = entity.get(KEY);
    attempt.check(copy == null || Arrays.equals(copy, key), "the column of another key");
    attempt.check(copy, entity.value(KEY.getBytes(StandardCharsets.UTF_8)), "a column by name");
  }

  private static void get(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    EntityReader reader = question.reader().entities();
    if (attempt.oneIn(3)) {
      MemorySegment value = reader.get(question.key(), entity -> MemorySegment.ofArray(entity.get("")));
      question.check(value, attempt);
      return;
    }
    try (Entity entity =
        attempt.oneIn(2) ? reader.get(question.key()) : reader.get(ClientBytes.segment(question.key(), attempt))) {
      check(question, question.key(), entity, attempt);
      if (entity != null && attempt.oneIn(4)) {
        entity.retain().close();
        check(question, question.key(), reader.only("").get(question.key()), attempt, entity);
      }
    }
  }

  /** Checks a second read of the same key, and closes it. */
  private static void check(
      ReadOperations.Question question, byte[] key, Entity second, Attempt attempt, Entity first) {
    try (second) {
      if (question.place().exact) {
        attempt.check(second.count() == 1, "the columns of a projection");
        attempt.check(first.get(""), second.value(0), "a projection of key " + Arrays.toString(Arrays.copyOf(key, 4)));
      }
    }
  }

  private static void getMany(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    byte[] missing = {0, 1, 2};
    List<Entity> entities =
        question.reader().entities().multiGet(List.of(question.key(), missing, question.key()));
    try {
      attempt.check(entities.get(1) == null, "an entity of a missing key");
      check(question, question.key(), entities.get(0), attempt);
      check(question, question.key(), entities.get(2), attempt);
    } finally {
      entities.stream().filter(entity -> entity != null).forEach(Entity::close);
    }
  }

  private static void forEach(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    int client = question.place().clientSeenBy(attempt.client.number);
    NavigableMap<byte[], byte[]> rows = RowOperations.rowsAt(question.place(), attempt);
    int[] count = new int[1];
    question.reader()
        .entities()
        .forEach(
            ClientBytes.range(client),
            (key, entity) -> {
              count[0]++;
              byte[] copy = key.toArray(ValueLayout.JAVA_BYTE);
              checkColumns(copy, entity, attempt);
              if (question.place().exact) {
                attempt.check(rows.get(copy), entity.value(""), "an entity of a range");
              }
            });
    if (question.place().exact) {
      attempt.check(count[0] == rows.size(), count[0] + " entities instead of " + rows.size());
    }
  }

  private static void ofCursor(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    try (Cursor cursor = question.reader().cursor()) {
      if (cursor.seek(question.key())) {
        byte[] key = cursor.keyBytes();
        Entity entity = cursor.entity();
        checkColumns(key, entity, attempt);
        attempt.check(cursor.valueBytes(), entity.value(""), "the entity of a row");
      }
    }
  }

  /** Puts a record, and reads records one by one, together and in order. */
  private static void records(Attempt attempt) {
    if (attempt.oneIn(2)) {
      WriteOperations.Target target = WriteOperations.Target.choose(attempt);
      byte[] key = WriteOperations.anyKey(attempt);
      byte[] value = ClientBytes.value(attempt.random);
      Both record = new Both(value, attempt.oneIn(2) ? key : null);
      if (attempt.oneIn(2)) {
        target.space().typed(KeyCodec.bytes(), CODEC).put(key, record);
      } else {
        target.space().putEntity(key, CODEC.encode(record));
      }
      target.rows().put(key, value);
      return;
    }
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    TypedReader<byte[], Both> reader = question.reader().typed(KeyCodec.bytes(), CODEC);
    List<Both> found =
        attempt.oneIn(2)
            ? reader.multiGet(List.of(question.key(), question.key()))
            : Arrays.asList(
                reader.get(question.key()), question.reader().entities().get(question.key(), CODEC::decode));
    for (Both record : found) {
      question.check(record == null ? null : record.value(), attempt);
      attempt.check(
          record == null || record.key() == null || Arrays.equals(record.key(), question.key()),
          "the column of another key in a record");
    }
    if (attempt.oneIn(4)) {
      NavigableMap<byte[], byte[]> rows = RowOperations.rowsAt(question.place(), attempt);
      int client = question.place().clientSeenBy(attempt.client.number);
      try (Stream<TypedReader.Entry<byte[], Both>> records = reader.stream(ClientBytes.range(client))) {
        List<TypedReader.Entry<byte[], Both>> all = records.toList();
        if (question.place().exact) {
          attempt.check(all.size() == rows.size(), all.size() + " records instead of " + rows.size());
          all.forEach(each -> attempt.check(rows.get(each.key()), each.value().value(), "a record of a range"));
        }
      }
    }
  }

  /** Reads the merge operands of a key; joined by the merge operator, they must equal the model's value. */
  private static void operands(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    List<byte[]> operands = question.reader().mergeOperands(question.key());
    byte[] joined = operands.stream().reduce(null, WriteOperations::merged);
    question.check(joined, attempt);
  }
}
