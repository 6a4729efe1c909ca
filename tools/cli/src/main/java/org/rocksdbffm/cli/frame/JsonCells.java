/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import org.rocksdbffm.ByteSize;

/** Writes and reads cells in JSON. */
final class JsonCells {
  private JsonCells() {}

  static String value(Object cell) {
    return switch (cell) {
      case null -> "null";
      case ByteSize size -> Long.toString(size.bytes());
      case Double number when !Double.isFinite(number) -> "null";
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case OffsetDateTime time -> quote(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
      case RowPrinter.Cell printed when printed.isJson() -> printed.toString();
      default -> quote(cell.toString());
    };
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c >= 0x7f && c < 0xa0 || Character.isSurrogate(c)
          || Character.getType(c) == Character.FORMAT) {
        quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Reads a JSON string. */
  static String unquote(String literal) {
    if (literal.length() < 2 || !literal.startsWith("\"") || !literal.endsWith("\"")) {
      throw new IllegalArgumentException("'" + literal + "' is no JSON string: it must be in double quotes");
    }
    StringBuilder text = new StringBuilder();
    String inner = literal.substring(1, literal.length() - 1);
    for (int i = 0; i < inner.length(); i++) {
      char c = inner.charAt(i);
      if (c == '"' || c < ' ' || c == '\\' && i + 1 == inner.length()) {
        throw new IllegalArgumentException(literal + " is no JSON string: character " + (i + 2) + " must be escaped");
      } else if (c == '\\') {
        char escaped = inner.charAt(++i);
        if (escaped == 'u') {
          text.append(unicode(inner, i + 1));
          i += 4;
        } else {
          text.append(escape(literal, escaped));
        }
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static char unicode(String text, int at) {
    if (at + 4 > text.length() || !text.substring(at, at + 4).matches("\\p{XDigit}{4}")) {
      throw new IllegalArgumentException("\\u must have four hexadecimal digits behind it");
    }
    return (char) Integer.parseInt(text.substring(at, at + 4), 16);
  }

  private static char escape(String literal, char escaped) {
    return switch (escaped) {
      case '"', '\\', '/' -> escaped;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> throw new IllegalArgumentException(literal + " is no JSON string: \\" + escaped + " is no escape");
    };
  }
}
