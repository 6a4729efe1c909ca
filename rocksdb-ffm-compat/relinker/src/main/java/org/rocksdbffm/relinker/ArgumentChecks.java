/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * Writes the checks of a native method's arguments, from the table of arguments, at the start of its body. The kinds of
 * arguments:
 *
 * <pre>
 * object               the pointer of an object whose use the caller announced to its guard; objects: an array of them
 * family, snapshot, transaction, iterator, batch, database, families
 *                      an object of the same database as the other arguments: see GuardWeaver
 * settings             an object whose settings are accepted; also an array of them
 * any, flag            any value of the type
 * size, positive       an integer of at least 0, or of at least 1
 * a..b                 a number in this range; a bound may be omitted
 * option:scope:n       a value of the option n, checked when the first argument, an object, is used; without one, now
 * now:scope:n          as option, but checked immediately
 * option:scope:n:a..b  as option, but values in this range need no check; also with now
 * option:scope:n=a,b   as option, for an enum with the words a and b
 * merged:n             settings that become the option n of the first argument
 * bytes, buffer, array an array of bytes, a buffer, an array of objects; not null
 * offset, length       a range within the preceding argument; limit: the end of a range
 * arrays, texts        an array of arrays, or of strings, without null
 * offsets, lengths     for each of the preceding arrays
 * numbers, numbers:n   an array of numbers, with at least n of them
 * string, text, path   a string; without NULs; and not empty
 * list                 not null
 * property             the name of a RocksDB property
 * names, values        strings, as many names as values
 * checked              a value that the route's glue checks
 * </pre>
 *
 * <p>A {@code ?} after a kind also allows null, or 0.
 */
final class ArgumentChecks {
  private static final ClassDesc CHECKS = Bodies.glue("support.Arguments");
  private static final ClassDesc STRING = ConstantDescs.CD_String;
  private static final ClassDesc LONG = ConstantDescs.CD_long;
  private static final ClassDesc INT = ConstantDescs.CD_int;
  private static final ClassDesc DOUBLE = ConstantDescs.CD_double;
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;

  private final CodeBuilder code;
  private final ArgumentTable.Row row;
  private final MethodTypeDesc type;
  private final int[] slots;

  // The array, buffer or text to which offsets and lengths refer, and the slot of an offset in it.
  private int container = -1;
  private int offset = -1;

  private ArgumentChecks(CodeBuilder code, ArgumentTable.Row row, MethodTypeDesc type, boolean isStatic) {
    this.code = code;
    this.row = row;
    this.type = type;
    this.slots = new int[type.parameterCount()];
    int slot = isStatic ? 0 : 1;
    for (int i = 0; i < slots.length; i++) {
      slots[i] = slot;
      slot += TypeKind.from(type.parameterType(i)).slotSize();
    }
  }

  static void write(CodeBuilder code, ArgumentTable.Row row, MethodTypeDesc type, boolean isStatic) {
    ArgumentChecks checks = new ArgumentChecks(code, row, type, isStatic);
    for (int i = 0; i < type.parameterCount(); i++) {
      checks.write(i, row.arguments().get(i).kind());
    }
  }

  private void write(int i, String kind) {
    boolean optional = kind.endsWith("?");
    String must = optional ? kind.substring(0, kind.length() - 1) : kind;
    switch (must) {
      case "any", "flag", "checked" -> require(i, type.parameterType(i).isPrimitive() || must.equals("checked"));
      case "object", "family", "snapshot", "transaction", "iterator", "batch", "database" -> {
        require(i, is(i, "J"));
        if (!optional) {
          check("object", i);
        }
      }
      case "objects", "families" -> {
        require(i, is(i, "[J"));
        check(optional ? "objectsIfAny" : "objects", i);
      }
      case "settings" -> {
        require(i, is(i, "J") || is(i, "[J"));
        check("settings", i);
      }
      case "bytes", "buffer", "array", "list", "string" -> {
        require(i, !type.parameterType(i).isPrimitive());
        container(i, optional);
      }
      case "arrays" -> {
        require(i, type.parameterType(i).isArray());
        container = i;
        offset = -1;
        check(optional ? "arraysIfAny" : "arrays", i, OBJECT.arrayType());
      }
      default -> writeOther(i, must, optional);
    }
  }

  private void writeOther(int i, String kind, boolean optional) {
    int colon = kind.indexOf(':');
    switch (colon < 0 ? kind : kind.substring(0, colon)) {
      case "offset" -> {
        require(i, is(i, "I") && container >= 0);
        offset = i;
        if (!isFollowedByLength(i)) {
          code.aload(slots[container]).iload(slots[i]).ldc(name(i));
          call("offset", containerType(), INT, STRING);
        }
      }
      case "length", "limit" -> section(i, kind);
      case "offsets" -> {
        require(i, is(i, "[I") && container >= 0);
        offset = i;
      }
      case "lengths" -> {
        require(i, is(i, "[I") && container >= 0 && offset >= 0);
        code.aload(slots[container]).aload(slots[offset]).aload(slots[i]).ldc(name(i));
        call("sections", type.parameterType(container), type.parameterType(i), type.parameterType(i), STRING);
      }
      case "numbers" -> {
        require(i, is(i, "[I") || is(i, "[J"));
        code.aload(slots[i]).loadConstant(colon < 0 ? 0 : Integer.parseInt(kind.substring(colon + 1))).ldc(name(i));
        call("numbers", OBJECT, INT, STRING);
      }
      case "text", "path", "property" -> {
        require(i, is(i, "Ljava/lang/String;"));
        container = i;
        offset = -1;
        check(optional ? kind + "IfAny" : kind, i);
      }
      case "texts", "names" -> {
        require(i, is(i, "[Ljava/lang/String;"));
        container = i;
        offset = -1;
        check("texts", i);
      }
      case "values" -> {
        require(i, is(i, "[Ljava/lang/String;") && container >= 0);
        code.aload(slots[container]).aload(slots[i]).ldc(name(i));
        call("values", type.parameterType(i), type.parameterType(i), STRING);
      }
      case "option", "now" -> option(i, kind.split("[:=]"));
      case "merged" -> {
        require(i, i > 0 && is(0, "J") && is(i, "J"));
        code.lload(slots[0]).ldc(kind.substring(colon + 1)).lload(slots[i]).ldc(name(i));
        call("merged", LONG, STRING, LONG, STRING);
      }
      default -> number(i, kind);
    }
  }

  private boolean isFollowedByLength(int i) {
    return i + 1 < slots.length && row.arguments().get(i + 1).kind().matches("length|limit");
  }

  private void container(int i, boolean optional) {
    container = i;
    offset = -1;
    if (!optional) {
      code.aload(slots[i]).ldc(name(i));
      call("present", OBJECT, STRING);
    }
  }

  private void section(int i, String kind) {
    require(i, is(i, "I") && container >= 0);
    code.aload(slots[container]);
    if (offset < 0) {
      code.iconst_0();
    } else {
      code.iload(slots[offset]);
    }
    code.iload(slots[i]).ldc(name(i));
    call(kind.equals("limit") ? "limit" : "section", containerType(), INT, INT, STRING);
  }

  /** Returns the declared parameter type of the check method. */
  private ClassDesc containerType() {
    ClassDesc element = type.parameterType(container);
    return element.isArray() && !element.componentType().isPrimitive() ? OBJECT.arrayType() : element;
  }

  /** Writes the check of an option. The words are the kind, the scope, the name, and a range or names for numbers. */
  private void option(int i, String[] words) {
    if (i > 0 && words[0].equals("option") && row.arguments().getFirst().kind().matches("object|settings")) {
      code.lload(slots[0]);
    } else {
      code.lconst_0();
    }
    code.ldc(words[1]).ldc(words[2]);
    ClassDesc passed = is(i, "I") || is(i, "B") ? LONG : type.parameterType(i);
    if (words.length > 3 && words[3].contains("..")) {
      require(i, passed.equals(LONG));
      pushRange(words[3]);
      load(i);
      call("option", LONG, STRING, STRING, LONG, LONG, LONG);
    } else if (words.length > 3) {
      code.ldc(words[3]);
      load(i);
      call(is(i, "[B") ? "words" : "word", LONG, STRING, STRING, STRING, passed);
    } else {
      load(i);
      call("option", LONG, STRING, STRING, passed);
    }
  }

  private void number(int i, String kind) {
    String range = kind.equals("size") ? "0.." : kind.equals("positive") ? "1.." : kind;
    int between = range.indexOf("..");
    require(i, between >= 0 && type.parameterType(i).isPrimitive());
    load(i);
    if (is(i, "D")) {
      String least = range.substring(0, between);
      String most = range.substring(between + 2);
      code.loadConstant(least.isEmpty() ? -Double.MAX_VALUE : Double.parseDouble(least))
          .loadConstant(most.isEmpty() ? Double.MAX_VALUE : Double.parseDouble(most))
          .ldc(name(i));
      call("range", DOUBLE, DOUBLE, DOUBLE, STRING);
    } else {
      pushRange(range);
      code.ldc(name(i));
      call("range", LONG, LONG, LONG, STRING);
    }
  }

  /** Pushes both bounds of a range of integers. */
  private void pushRange(String range) {
    int between = range.indexOf("..");
    String least = range.substring(0, between);
    String most = range.substring(between + 2);
    code.loadConstant(least.isEmpty() ? Long.MIN_VALUE : Long.parseLong(least))
        .loadConstant(most.isEmpty() ? Long.MAX_VALUE : Long.parseLong(most));
  }

  /** Loads an argument, integers as a long. */
  private void load(int i) {
    TypeKind kind = TypeKind.from(type.parameterType(i));
    code.loadLocal(kind, slots[i]);
    if (is(i, "I") || is(i, "B")) {
      code.i2l();
    }
  }

  private void check(String method, int i) {
    check(method, i, type.parameterType(i));
  }

  private void check(String method, int i, ClassDesc as) {
    code.loadLocal(TypeKind.from(type.parameterType(i)), slots[i]).ldc(name(i));
    call(method, as, STRING);
  }

  private void call(String method, ClassDesc... parameters) {
    code.invokestatic(CHECKS, method, MethodTypeDesc.of(ConstantDescs.CD_void, List.of(parameters)));
  }

  private boolean is(int i, String descriptor) {
    return type.parameterType(i).descriptorString().equals(descriptor);
  }

  private String name(int i) {
    return row.arguments().get(i).name();
  }

  private void require(int i, boolean holds) {
    if (!holds) {
      ArgumentTable.Argument argument = row.arguments().get(i);
      throw new RelinkException(
          "%s: %s is a %s, which cannot be %s".formatted(
              row.where(), argument.name(), type.parameterType(i).displayName(), argument.kind()));
    }
  }
}
