/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The type of an object that RocksDB creates by its id, optionally with parts in braces. RocksDB silently ignores an
 * object that it cannot create, so the supported ids are listed.
 */
public final class ObjectType extends OptionType {
  private static final String ID = "id";
  static final String NOTHING = "nullptr";

  private final String scope;
  private final List<String> ids;

  ObjectType(String scope, String supported) {
    super(supported);
    this.scope = scope;
    this.ids = List.of(supported.split("\\|"));
  }

  /** Returns the id in a value, with or without parts. */
  public static String idOf(String value) {
    String object = OptionText.withoutBraces(value.strip()).strip();
    if (object.indexOf('=') < 0) {
      return object;
    }
    return OptionText.parse(object).getOrDefault(ID, "");
  }

  public static boolean isNothing(String id) {
    return id.isEmpty() || id.equals(NOTHING);
  }

  @Override
  String parts() {
    return "";
  }

  @Override
  String write(String value) {
    String object = OptionText.withoutBraces(value).strip();
    Map<String, String> parts = new LinkedHashMap<>();
    String id = object;
    if (object.indexOf('=') >= 0) {
      parts.putAll(OptionText.parse(object));
      id = parts.remove(ID);
    }
    if (id == null || !id.matches("[!-~&&[^;{}=\\\\]]*")) {
      throw new Mismatch(": '" + value + "' is no id of an object, and no {id=...;...}");
    }
    if (isNothing(id)) {
      return NOTHING;
    }
    if (parts.isEmpty() || !isAmongSupported(id)) {
      return id; // an unsupported id is refused whatever its parts are
    }
    Map<String, String> written = new LinkedHashMap<>();
    written.put(ID, id);
    written.putAll(StructType.written(scope, parts));
    return "{" + OptionText.format(written) + "}";
  }

  @Override
  boolean isAmongSupported(String written) {
    String id = idOf(written);
    for (String pattern : ids) {
      if (matches(pattern, id)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an id matches a pattern, where brackets enclose a range of numbers. */
  static boolean matches(String pattern, String id) {
    int bracket = firstBracket(pattern);
    if (bracket < 0) {
      return pattern.equals(id);
    }
    char close = pattern.charAt(bracket) == '<' ? '>' : ']';
    int end = pattern.indexOf(close, bracket);
    String rest = pattern.substring(end + 1);
    int restBracket = firstBracket(rest);
    String behind = restBracket < 0 ? rest : rest.substring(0, restBracket);
    if (!id.startsWith(pattern.substring(0, bracket)) || id.length() <= bracket) {
      return false;
    }
    int numberEnd = behind.isEmpty() ? id.length() : id.indexOf(behind, bracket);
    return numberEnd > bracket
        && isInRange(id.substring(bracket, numberEnd), pattern.substring(bracket + 1, end), close == '>')
        && matches(rest, id.substring(numberEnd));
  }

  private static int firstBracket(String pattern) {
    int whole = pattern.indexOf('<');
    int decimal = pattern.indexOf('[');
    return whole < 0 || decimal >= 0 && decimal < whole ? decimal : whole;
  }

  private static boolean isInRange(String number, String range, boolean whole) {
    try {
      return whole
          ? new NumericType(NumberType.LONG, range).isAmongSupported(Long.toString(Long.parseLong(number)))
          : new ScalarType.Decimal(range).isAmongSupported(Double.toString(ScalarType.Decimal.parse(number)));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  List<String> bounds() {
    List<String> bounds = new ArrayList<>();
    for (String id : ids) {
      int bracket = firstBracket(id);
      int dots = id.indexOf("..");
      int end = Math.max(id.indexOf('>'), id.indexOf(']'));
      if (dots < 0 || id.indexOf("..", dots + 1) >= 0) {
        bounds.add(id); // has no range, or two
      } else {
        bounds.add(id.substring(0, bracket) + id.substring(bracket + 1, dots) + id.substring(end + 1));
        bounds.add(id.substring(0, bracket) + NumberType.LONG.parse(id.substring(dots + 2, end)) + id.substring(end + 1));
      }
    }
    bounds.removeIf(id -> id.contains(".."));
    return bounds;
  }

  @Override
  String supported() {
    List<String> shown = new ArrayList<>();
    for (String id : ids) {
      shown.add(id.replace("[", "<").replace("]", ">"));
    }
    return "one of " + String.join(", ", shown);
  }

  @Override
  String advice(String written) {
    return NearestName.advice(idOf(written), ids);
  }
}
