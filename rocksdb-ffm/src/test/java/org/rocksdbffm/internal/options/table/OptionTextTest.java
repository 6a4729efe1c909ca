/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionTextTest {
  @Test
  void textsAreReadIntoNamesAndValues() {
    assertEquals("{a=1, b={c=2;d={e=3;}}, f=}", OptionText.parse("a=1;b={c=2;d={e=3;}};f=").toString());
    assertEquals("{a=1, b=x=y}", OptionText.parse(" a = 1 ;; b=x=y ; ").toString());
    assertEquals(Map.of(), OptionText.parse(" ; ;"));
    assertEquals("{a=2}", OptionText.parse("a=1;a=2").toString(), "the last one counts");
  }

  @Test
  void bracesCountWhereTheEngineCountsThem() {
    assertEquals("{a=/b}, c=d{, e=f}", OptionText.parse("a=/b};c=d{;e=f").toString());
    assertEquals("{a=1, b=2}", OptionText.parse(" {{a=1;b=2} }").toString());
  }

  @Test
  void aFormattedTextIsReadBack() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("plain", "1");
    options.put("empty", "");
    options.put("braced", "{id=x;y=z;}");
    options.put("equal", "a=b");
    String text = OptionText.format(options);
    assertEquals("plain=1;empty=;braced={id=x;y=z;};equal=a=b;", text);
    assertEquals(options, OptionText.parse(text));
    assertEquals("list={a;b};", OptionText.format(Map.of("list", "a;b")), "a value with a semicolon is braced");
    assertEquals("x={{a=1};b=2};", OptionText.format(Map.of("x", "{a=1};b=2")), "so nothing can stand behind a brace");
  }

  @Test
  void aTextThatMeansWhatItSaysKeepsItsBracesAndBlanks() {
    assertEquals("/tmp/x", OptionText.quoted("/tmp/x"));
    assertEquals("{ a}", OptionText.quoted(" a"));
    assertEquals("{a;b}", OptionText.quoted("a;b"));
    assertEquals("{{a}}", OptionText.quoted("{a}"));
    assertEquals(null, OptionText.quoted("a}{"));
  }

  @Test
  void whatCppCannotBeGivenIsTold() {
    assertTrue(OptionText.isWellFormed("a\uD83D\uDE00\u00E4"));
    assertFalse(OptionText.isWellFormed("a\0b"));
    assertFalse(OptionText.isWellFormed("a\uD83D"));
    assertFalse(OptionText.isWellFormed("\uDE00\uD83D"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "=1", "a=1;b", "a={", "a={}}", "a={b=}c}", "{a=1};b=2", "a}=1"})
  void whatIsNoOptionTextIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> OptionText.parse(text));
  }

  @Test
  void bracesAreTakenOffOnce() {
    assertEquals("a=1", OptionText.withoutBraces("{a=1}"));
    assertEquals("{a}", OptionText.withoutBraces("{{a}}"));
    assertEquals("{a", OptionText.withoutBraces("{a"));
    assertEquals("{a}{b}", OptionText.withoutBraces("{a}{b}"), "these two are no pair");
    assertEquals("", OptionText.withoutBraces("{}"));
  }
}
