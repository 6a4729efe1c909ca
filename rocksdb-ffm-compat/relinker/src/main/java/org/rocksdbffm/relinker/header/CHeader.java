/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker.header;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints a line for each function in {@code rocksdb/c.h}, as input for the relinker. Run manually after an update of
 * RocksDB; a build needs no header.
 */
final class CHeader {
  private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern CALLBACK = Pattern.compile("\\(\\s*\\*\\s*\\w*\\s*\\)\\s*\\([^()]*\\)");
  private static final Pattern FUNCTION =
      Pattern.compile("ROCKSDB_LIBRARY_API\\s+([\\w\\s*]+?)\\b(rocksdb_\\w+)\\s*\\(([^()]*)\\)\\s*;");

  private CHeader() {}

  public static void main(String[] arguments) throws IOException {
    functions(Files.readString(Path.of(arguments[0]))).forEach(line -> System.out.println(line));
  }

  /** Returns a line for each function: its name, result type and parameter types, without {@code const}. */
  static List<String> functions(String header) {
    String code = COMMENT.matcher(header).replaceAll(" ");
    code = code.replaceAll("\\bunsigned\\s+char\\b", "uchar").replaceAll("\\bunsigned\\s+int\\b", "uint32_t");
    // A function pointer is like any other pointer.
    code = CALLBACK.matcher(code).replaceAll(" function* ");
    List<String> lines = new ArrayList<>();
    Matcher found = FUNCTION.matcher(code);
    while (found.find()) {
      StringBuilder line = new StringBuilder(found.group(2)).append(' ').append(type(found.group(1)));
      for (String parameter : found.group(3).split(",")) {
        if (!parameter.isBlank() && !parameter.strip().equals("void")) {
          line.append(' ').append(type(withoutName(parameter)));
        }
      }
      lines.add(line.toString());
    }
    lines.sort(null);
    return lines;
  }

  private static String withoutName(String parameter) {
    if (parameter.contains("function*")) {
      return "function*";
    }
    String array = parameter.replaceAll("\\[\\s*\\w*\\s*\\]", "");
    String stripped = array.strip();
    String type = stripped.matches(".*[\\w*]\\s+\\w+|.*\\*\\s*\\w+") ? stripped.replaceAll("\\w+$", "") : stripped;
    return array.equals(parameter) ? type : type + "*";
  }

  /** Returns the name of a type, without {@code const}, {@code struct} and spaces. */
  private static String type(String text) {
    return text.replaceAll("\\b(const|struct|extern)\\b", " ")
        .strip()
        .replaceAll("\\s+", " ")
        .replaceAll("\\s*\\*\\s*", "*")
        .replace(' ', '_');
  }
}
