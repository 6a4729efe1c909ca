/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.AbstractSlice;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.Value;

/** One thread of a case: repeatedly chooses a step for the objects that exist, and runs it. */
public final class Generator {
  private static final int DEEPEST = 4;
  /** Classes whose native objects are read through objects of {@link #SERVED}. */
  private static final List<Class<?>> SERVING =
      List.of(ColumnFamilyHandle.class, AbstractComparator.class, Snapshot.class, AbstractSlice.class, RocksDB.class);

  private static final List<Class<?>> SERVED =
      List.of(RocksIterator.class, WBWIRocksIterator.class, Transaction.class, WriteBatchWithIndex.class);

  private static final int MOST_ABANDONED = 6;
  private static final int USES = 4;
  private static final List<ApiMember> MEMBERS = List.copyOf(ApiMembers.ALL.values());

  private final CallRun run;
  private final int thread;
  private final String folder;
  private final Random random;

  public Generator(CallRun run, int thread, String folder, long seed) {
    this.run = run;
    this.thread = thread;
    this.folder = folder;
    random = new Random(seed);
  }

  public void steps(int count) {
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(100);
      if (kind < 4) {
        own();
      } else if (kind < 8) {
        close();
      } else if (kind < 10) {
        abandon();
      } else if (kind < 16) {
        closeServing();
      } else if (kind < 65) {
        ofSomeObject();
      } else {
        step(MEMBERS.get(random.nextInt(MEMBERS.size())), null, 0);
      }
    }
  }

  public void prepare() {
    run(own("!folder", new Value.Text(folder, 1)));
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      Recipes.run(run, thread, folder, random);
    }
  }

  /** Closes open objects in random order, or leaves them open until the process ends. */
  public void end() {
    if (random.nextInt(4) == 0) {
      return;
    }
    List<String> names = new ArrayList<>(run.pool.names());
    java.util.Collections.shuffle(names, random);
    for (String name : names) {
      if (run.pool.get(name) instanceof AbstractNativeReference && !name.startsWith(References.PREFIX)) {
        close(name);
      }
    }
  }

  private boolean run(CallStep step) {
    return run.run(step);
  }

  private CallStep own(String name, Value... arguments) {
    return new CallStep(thread, run.nextNumber(), name, List.of(arguments));
  }

  private void own() {
    Value database = new Value.Whole(random.nextInt(ReferenceModel.DATABASES.size()));
    Value family = new Value.Whole(random.nextInt(ReferenceModel.FAMILIES.size()));
    Value key = new Value.Text(ReferenceModel.randomKey(random), 1);
    switch (random.nextInt(13)) {
      case 0, 1, 2, 3 -> run(own(ReferenceModel.PUT, database, family, key, new Value.Text("v" + run.lastNumber(), 1)));
      case 4 -> run(own(ReferenceModel.PUT, database, family, key, new Value.Null()));
      case 5, 6 -> run(own("!get", database, family, key));
      case 7 -> run(own("!flush", database, family));
      case 8 -> run(own("!gc"));
      case 9 -> run(own("!interrupt"));
      case 10 -> run(own("!wait"));
      case 11 -> run(own(ReferenceModel.RANGE, new Value.Whole(0), family, key, otherEnd(key)));
      default -> {
        List<String> names = run.pool.names();
        run(own("!forget", new Value.Text(names.get(random.nextInt(names.size())), 1)));
      }
    }
  }

  /** Returns an end for a range from a key, so that some ranges are empty and some are reversed. */
  private Value otherEnd(Value key) {
    return random.nextInt(3) == 0 ? key : new Value.Text(ReferenceModel.randomKey(random), 1);
  }

  /** Closes or drops objects that the engine reads through other objects, and then uses the other objects. */
  private void closeServing() {
    Class<?> type = any(SERVING);
    String serving = run.pool.choose(type, random);
    if (serving != null && random.nextInt(3) > 0) {
      close(serving);
    } else {
      forgetAll(type);
    }
    for (int i = 0; i < USES; i++) {
      ofObject(any(SERVED));
    }
  }

  /** Drops the references to all objects of a type, such as the handles of families that later steps use unnamed. */
  private void forgetAll(Class<?> type) {
    for (String name : run.pool.names()) {
      if (type.isInstance(run.pool.get(name)) && !name.startsWith(References.PREFIX)) {
        run(own("!forget", new Value.Text(name, 1)));
      }
    }
    run(own("!gc"));
    run(own("!wait"));
  }

  private Class<?> any(List<Class<?>> types) {
    return types.get(random.nextInt(types.size()));
  }

  /** Drops the last references to several objects, collects garbage, and uses the objects that they served. */
  private void abandon() {
    for (int i = 1 + random.nextInt(MOST_ABANDONED); i > 0; i--) {
      List<String> names = run.pool.names().stream().filter(name -> !name.startsWith(References.PREFIX)).toList();
      if (!names.isEmpty()) {
        run(own("!forget", new Value.Text(names.get(random.nextInt(names.size())), 1)));
      }
    }
    run(own("!gc"));
    run(own("!wait"));
    for (int i = 0; i < USES; i++) {
      ofSomeObject();
    }
  }

  private void close() {
    String name = run.pool.choose(AbstractNativeReference.class, random);
    if (name != null) {
      close(name);
    }
  }

  private void close(String name) {
    run(own("AbstractNativeReference.close()", new Value.Reference(name)));
  }

  private void ofSomeObject() {
    ofObject(any(run.pool.types()));
  }

  private void ofObject(Class<?> type) {
    List<ApiMember> members = ApiMembers.of(type);
    String name = run.pool.choose(type, random);
    if (!members.isEmpty() && name != null) {
      step(members.get(random.nextInt(members.size())), new Value.Reference(name), 0);
    }
  }

  /** Chooses the arguments of a member and calls it; returns the name of the result, or null. */
  private String step(ApiMember member, Value receiver, int depth) {
    List<Value> arguments =
        new CallArguments(random, run.pool, folder, run.lastNumber(), type -> supply(type, depth))
            .choose(member, receiver);
    if (arguments == null) {
      return null;
    }
    CallStep step = new CallStep(thread, run.nextNumber(), member.key(), arguments);
    return run(step) ? String.valueOf(step.number()) : null;
  }

  private String supply(Class<?> type, int depth) {
    if (depth >= DEEPEST || !type.getName().startsWith("org.rocksdb")) {
      return null;
    }
    List<ApiMember> makers = new ArrayList<>();
    for (ApiMember member : MEMBERS) {
      if (type.isAssignableFrom(member.result()) && makesNew(member)) {
        makers.add(member);
      }
    }
    if (makers.isEmpty()) {
      return null;
    }
    String name = step(makers.get(random.nextInt(makers.size())), null, depth + 1);
    return name != null && type.isInstance(run.pool.get(name)) ? name : null;
  }

  /** Whether a member creates an object. Setters return their receiver. */
  private static boolean makesNew(ApiMember member) {
    return !(member.executable() instanceof Method) || member.result() != member.owner() || !member.hasReceiver();
  }
}
