/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of a page in Markdown that programs write anew, each between a comment that says what belongs there, such as
 * {@code <!-- table get -->}, and the comment {@code end}.
 */
public final class Blocks {
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- (\\w+)(?: ([\\w-]+))? -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);

  private Blocks() {}

  /**
   * The text with its blocks filled.
   *
   * @param contents is given a block's kind and argument, or null, and returns what belongs there; null leaves it as it is
   */
  public static String filled(String text, BiFunction<String, String, String> contents) {
    return BLOCK.matcher(text).replaceAll(block -> {
      String content = contents.apply(block.group(2), block.group(3));
      return Matcher.quoteReplacement(block.group(1) + (content == null ? block.group(4) : content) + block.group(5));
    });
  }

  /** The text without its blocks: what nobody but people wrote. */
  public static String prose(String text) {
    return BLOCK.matcher(text).replaceAll("");
  }
}
