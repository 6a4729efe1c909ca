/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * Writes the checks of what a native method is given, by the table of arguments, before all else that its body does. The
 * kinds of arguments:
 *
 * <pre>
 * object               the pointer of an object, which the caller announced to its guard; of an array, of each
 * family, snapshot, transaction, iterator, batch, database, families
 *                      an object of the same database as the others: see GuardWeaver
 * settings             an object that nothing is set in that cannot be worked with; also of arrays
 * any, flag            every value of the type
 * size, positive       a whole number from 0, or from 1
 * a..b                 a number in this range, of which either end may be left out
 * option:scope:n       a value of the option n, which is judged: where the first argument, an object, is used, or at once
 * now:scope:n          the same, judged immediately
 * option:scope:n:a..b  the same, where values in this range need no judgement; also of now
 * option:scope:n=a,b   the same, of the words a and b by their numbers
 * merged:n             settings that become the option n of the first argument
 * bytes, buffer, array an array of bytes, a buffer, an array of objects; not null
 * offset, length       within the one before it, together; limit: where a buffer ends
 * arrays, texts        an array of arrays, of texts, with no null among them
 * offsets, lengths     for each of the arrays before them
 * numbers, numbers:n   an array of numbers, with as many at least
 * string, text, path   a text; without NULs; and not empty
 * list                 not null
 * property             the name of a property of the engine's
 * names, values        texts that belong together
 * checked              whatever the route's own code lets through
 * </pre>
 *
 * <p>A {@code ?} behind a kind says that there may be none: null, or 0.
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

  // The array, or buffer, that offsets and lengths are about, and an offset in it.
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

  /** The type that the checks have for the array or buffer. */
  private ClassDesc containerType() {
    ClassDesc its = type.parameterType(container);
    return its.isArray() && !its.componentType().isPrimitive() ? OBJECT.arrayType() : its;
  }

  /** Words are the kind, the scope and the name, and a range or the words that numbers stand for. */
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

  /** Pushes both ends of a range of whole numbers. */
  private void pushRange(String range) {
    int between = range.indexOf("..");
    String least = range.substring(0, between);
    String most = range.substring(between + 2);
    code.loadConstant(least.isEmpty() ? Long.MIN_VALUE : Long.parseLong(least))
        .loadConstant(most.isEmpty() ? Long.MAX_VALUE : Long.parseLong(most));
  }

  /** Loads an argument, a whole number as a long. */
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
      ArgumentTable.Argument its = row.arguments().get(i);
      throw new RelinkException(
          "%s: %s is a %s, which cannot be %s".formatted(
              row.where(), its.name(), type.parameterType(i).displayName(), its.kind()));
    }
  }
}
