/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MethodTest {
  @Test
  void anEntryPointIsNamedAsJniSays() {
    assertEquals(
        "Java_org_rocksdb_Options_newOptions__JJ",
        new Method("org.rocksdb.Options", "newOptions", "(JJ)J").entryPoint(true));
    assertEquals(
        "Java_org_rocksdb_WriteBatch_00024Handler_create_1new",
        new Method("org.rocksdb.WriteBatch$Handler", "create_new", "()J").entryPoint(false));
    assertEquals(
        "Java_org_rocksdb_X_f___3BLjava_lang_String_2",
        new Method("org.rocksdb.X", "f", "([BLjava/lang/String;)V").entryPoint(true));
  }
}
