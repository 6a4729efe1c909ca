/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Ways to write bytes as text; each reads what it has written. */
public enum Bytes {
  /** UTF-8, with {@code \xNN} for a byte that cannot be shown, and {@code \\} for a backslash. */
  TEXT {
    @Override
    String written(byte[] bytes) {
      String text = utf8(bytes);
      StringBuilder shown = new StringBuilder();
      if (text == null) {
        for (byte b : bytes) {
          show(shown, b & 0xff, b >= 0);
        }
      } else {
        text.codePoints().forEach(c -> show(shown, c, true));
      }
      return shown.toString();
    }

    @Override
    public byte[] read(String text) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int i = 0; i < text.length();) {
        int c = text.codePointAt(i);
        i += Character.charCount(c);
        if (c != '\\') {
          bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        } else if (text.startsWith("\\", i)) {
          bytes.write('\\');
          i++;
        } else if (text.regionMatches(i, "x", 0, 1) && isHex(text, i + 1) && isHex(text, i + 2)) {
          bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
          i += 3;
        } else {
          throw new IllegalArgumentException("'" + text + "': a backslash must be written as \\\\, or have xNN behind it");
        }
      }
      return bytes.toByteArray();
    }
  },
  /** Hexadecimal digits, two for each byte; {@code 0x} in front is read. */
  HEX {
    @Override
    String written(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }

    @Override
    public byte[] read(String text) {
      try {
        return HexFormat.of().parseHex(text.startsWith("0x") ? text.substring(2) : text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'" + text + "' is not hexadecimal: " + e.getMessage(), e);
      }
    }
  },
  /** Base64 of RFC 4648, with padding. */
  BASE64 {
    @Override
    String written(byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public byte[] read(String text) {
      try {
        return Base64.getDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'" + text + "' is not Base64: " + e.getMessage(), e);
      }
    }
  },
  /** A JSON string; bytes that are no UTF-8 are an object with their Base64: {@code {"base64":"/w=="}}. */
  JSON {
    private static final String OBJECT = "\\{\\s*\"base64\"\\s*:\\s*\"([^\"]*)\"\\s*}";

    @Override
    String written(byte[] bytes) {
      String text = utf8(bytes);
      return text == null ? "{\"base64\":\"" + BASE64.written(bytes) + "\"}" : Json.quote(text);
    }

    @Override
    public byte[] read(String text) {
      return text.matches(OBJECT)
          ? BASE64.read(text.replaceFirst(OBJECT, "$1"))
          : encoded(Json.unquote(text));
    }
  };

  abstract String written(byte[] bytes);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads bytes that this has written. */
  public abstract byte[] read(String text);

  /** Writes bytes as a cell of a table; null where there are none. */
  public Object cell(byte[] bytes) {
    return bytes == null ? null : this == JSON ? new Table.Literal(written(bytes)) : written(bytes);
  }

  /** Writes a value that is not merged as a JSON object: the older value, or null, and what is merged with it. */
  public Object unmerged(String operator, List<ByteBuffer> operands) {
    List<String> written = operands.stream().map(its -> Json.value(cell(its == null ? null : its.array()))).toList();
    return new Table.Literal(
        "{\"merge\":" + Json.quote(operator) + ",\"value\":" + written.getFirst() + ",\"operands\":"
            + written.subList(1, written.size()) + "}");
  }

  private static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static byte[] encoded(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOf(bytes.array(), bytes.limit());
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a JSON string with half a surrogate pair has no UTF-8", e);
    }
  }

  private static boolean isHex(String text, int at) {
    return at < text.length() && HexFormat.isHexDigit(text.charAt(at));
  }

  private static void show(StringBuilder shown, int c, boolean valid) {
    if (c == '\\') {
      shown.append("\\\\");
    } else if (valid && c >= ' ' && (c < 0x7f || Character.isLetterOrDigit(c) || Character.isEmoji(c))) {
      shown.appendCodePoint(c);
    } else {
      byte[] bytes = valid ? Character.toString(c).getBytes(StandardCharsets.UTF_8) : new byte[] {(byte) c};
      for (byte b : bytes) {
        shown.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
  }
}
