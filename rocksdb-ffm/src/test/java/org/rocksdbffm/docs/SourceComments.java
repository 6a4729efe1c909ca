/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments of a Java or C file; string and character literals are skipped. */
final class SourceComments {
  private static final String TEXT_BLOCK = "\"\"\".*?(?<!\\\\)\"\"\"";
  private static final String STRING = "\"(?:[^\"\\\\\\n]*+\\\\.)*+[^\"\\\\\\n]*+\"";
  private static final String CHARACTER = "'(?:[^'\\\\\\n]*+\\\\.)*+[^'\\\\\\n]*+'";
  private static final String COMMENT = "/\\*.*?\\*/|//[^\\n]*";
  private static final Pattern TOKEN =
      Pattern.compile(TEXT_BLOCK + "|" + STRING + "|" + CHARACTER + "|(" + COMMENT + ")", Pattern.DOTALL);

  private static final Pattern FRAME = Pattern.compile("^[ \\t]*+(?:/\\*++|\\*++/?|//++)[ \\t]*+", Pattern.MULTILINE);
  private static final Pattern CODE =
      Pattern.compile("<pre>.*?</pre>|\\{@[^{}]*\\}|@param\\s+\\S+", Pattern.DOTALL);

  private static final String SENTENCE = "(?:\\A|[.!?]\\)?\\s|>|\\n\\s*\\n)\\s*\\(?";

  private final String source;

  SourceComments(String source) {
    this.source = source;
  }

  /**
   * Returns the numbers of the lines on which a sentence begins with one of some words, which are separated by bars.
   */
  List<Integer> linesWithSentencesThatBeginWith(String words) {
    return linesWith(Pattern.compile(SENTENCE + "(?:" + words + ")\\b"), UnaryOperator.identity());
  }

  /** Returns the numbers of the lines with one of some phrases, without code, links and names of parameters. */
  List<Integer> linesWithPhrases(Pattern phrases) {
    return linesWith(phrases, SourceComments::withoutCode);
  }

  private static String withoutCode(String text) {
    return CODE.matcher(text).replaceAll(code -> code.group().replaceAll("[^\n]", "_"));
  }

  private List<Integer> linesWith(Pattern wanted, UnaryOperator<String> read) {
    List<Integer> lines = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      if (token.group(1) != null) {
        String text = read.apply(FRAME.matcher(token.group(1)).replaceAll(""));
        wanted.matcher(text).results().forEach(
            sentence -> lines.add(1 + newlines(source, token.start()) + newlines(text, sentence.end())));
      }
    }
    return lines;
  }

  private static int newlines(String text, int end) {
    return (int) text.substring(0, end).chars().filter(character -> character == '\n').count();
  }
}
