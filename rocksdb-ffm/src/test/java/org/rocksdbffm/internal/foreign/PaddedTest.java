/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.call.Call;

class PaddedTest {
  private static final int CACHE_LINES = 2 * 64;

  @Test
  void noFieldOfACallSharesACacheLineWithWhatLiesBeforeItInTheHeap() throws Exception {
    List<Field> fields =
        Stream.of(Call.class.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers())).toList();
    assertFalse(fields.isEmpty());
    // Only Unsafe reveals the offset of a field. It is called by reflection, because the compiler warns of direct
    // calls.
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field theOne = unsafe.getDeclaredField("theUnsafe");
    theOne.setAccessible(true);
    Method offset = unsafe.getMethod("objectFieldOffset", Field.class);
    for (Field field : fields) {
      long place = (long) offset.invoke(theOne.get(null), field);
      assertTrue(place >= CACHE_LINES, () -> field + " is at " + place);
    }
  }
}
