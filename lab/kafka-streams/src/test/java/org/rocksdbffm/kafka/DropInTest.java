/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.streams.state.internals.RocksDBStore;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** Checks that this module's tests run on the drop-in, without rocksdbjni. */
class DropInTest {
  @Test
  void rocksdbjniIsNotOnTheClassPath() {
    String classPath = System.getProperty("surefire.real.class.path", System.getProperty("java.class.path"));
    for (String entry : classPath.split(File.pathSeparator)) {
      assertFalse(entry.contains("rocksdbjni"), entry);
    }
  }

  @Test
  void theClassesThatKafkaStreamsSeesAreTheDropIns() throws Exception {
    for (Method method : RocksDB.class.getDeclaredMethods()) {
      assertFalse(Modifier.isNative(method.getModifiers()), method.toString());
    }
    ClassLoader loader = RocksDBStore.class.getClassLoader();
    assertEquals(RocksDB.class, Class.forName("org.rocksdb.RocksDB", false, loader));
    List<?> places = Collections.list(loader.getResources("org/rocksdb/RocksDB.class"));
    assertEquals(1, places.size(), places.toString());
  }
}
