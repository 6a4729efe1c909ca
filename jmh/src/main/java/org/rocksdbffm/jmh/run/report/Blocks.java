/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The generated blocks of a Markdown page, each between a comment with its kind and argument, such as
 * {@code <!-- table get -->}, and the comment {@code end}.
 */
public final class Blocks {
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- (\\w+)(?: ([\\w-]+))? -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);

  private Blocks() {}

  /**
   * Returns the text with filled blocks.
   *
   * @param contents maps a block's kind and argument (or null) to its content; null keeps the block unchanged
   */
  public static String filled(String text, BiFunction<String, String, String> contents) {
    return BLOCK.matcher(text).replaceAll(block -> {
      String content = contents.apply(block.group(2), block.group(3));
      return Matcher.quoteReplacement(block.group(1) + (content == null ? block.group(4) : content) + block.group(5));
    });
  }

  /** Returns the text without blocks: the part that people wrote. */
  public static String prose(String text) {
    return BLOCK.matcher(text).replaceAll("");
  }
}
