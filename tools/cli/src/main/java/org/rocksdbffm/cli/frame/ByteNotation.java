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

/** Notations of bytes as text; each can read the texts that it writes. */
public enum ByteNotation {
  /** UTF-8, with {@code \xNN} for a byte that is not readable, and {@code \\} for a backslash. */
  TEXT {
    @Override
    void write(byte[] bytes, OutputBuffer out) {
      int rest = out.appendPrintable(bytes, 0);
      if (!Utf8.isValid(bytes, rest)) {
        out.appendEscaped(bytes, rest, bytes.length);
        return;
      }
      while (rest < bytes.length) {
        int c = Utf8.codePoint(bytes, rest);
        int next = rest + Utf8.length(c);
        if (isShown(c)) {
          out.append(bytes, rest, next);
        } else {
          out.appendEscaped(bytes, rest, next);
        }
        rest = out.appendPrintable(bytes, next);
      }
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
          throw new IllegalArgumentException("'" + text
              + "': a backslash must be written as \\\\, or have xNN behind it");
        }
      }
      return bytes.toByteArray();
    }
  },
  /** Hexadecimal digits, two for each byte; {@code 0x} in front is read. */
  HEX {
    @Override
    void write(byte[] bytes, OutputBuffer out) {
      out.appendHex(bytes);
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
    void write(byte[] bytes, OutputBuffer out) {
      byte[] encoded = Base64.getEncoder().encode(bytes);
      out.append(encoded, 0, encoded.length);
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
  /** A JSON string; bytes that are not UTF-8 are an object with Base64: {@code {"base64":"/w=="}}. */
  JSON {
    private static final String OBJECT = "\\{\\s*\"base64\"\\s*:\\s*\"([^\"]*)\"\\s*}";

    @Override
    void write(byte[] bytes, OutputBuffer out) {
      if (Utf8.isValid(bytes, 0)) {
        out.append(JsonCells.quote(new String(bytes, StandardCharsets.UTF_8)));
      } else {
        out.append("{\"base64\":\"");
        BASE64.write(bytes, out);
        out.append("\"}");
      }
    }

    @Override
    public byte[] read(String text) {
      return text.matches(OBJECT)
          ? BASE64.read(text.replaceFirst(OBJECT, "$1"))
          : encoded(JsonCells.unquote(text));
    }
  };

  private static final int ASCII = 0x80;
  /** Bytes in a notation, as a cell of a table. */
  record Cell(ByteNotation notation, byte[] bytes) implements RowPrinter.Cell {
    @Override
    public void write(OutputBuffer out) {
      notation.write(bytes, out);
    }

    @Override
    public boolean isJson() {
      return notation == JSON;
    }

    @Override
    public String toString() {
      OutputBuffer out = new OutputBuffer(null);
      write(out);
      return out.toString();
    }
  }

  abstract void write(byte[] bytes, OutputBuffer out);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses a text in this notation. */
  public abstract byte[] read(String text);

  /** Returns bytes as a cell of a table; null for null. */
  public Object cell(byte[] bytes) {
    return bytes == null ? null : new Cell(this, bytes);
  }

  /** Returns an unmerged value as a JSON object: the older value, or null, and the operands. */
  public Object unmerged(String operator, List<ByteBuffer> operands) {
    List<String> written =
        operands.stream().map(each -> JsonCells.value(cell(each == null ? null : each.array()))).toList();
    return new RowPrinter.Literal(
        "{\"merge\":" + JsonCells.quote(operator) + ",\"value\":" + written.getFirst() + ",\"operands\":"
            + written.subList(1, written.size()) + "}");
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

  /** Whether a character is printable. */
  private static boolean isShown(int c) {
    if (c < ASCII) {
      return Printable.is((byte) c);
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
          Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      default -> true;
    };
  }
}
