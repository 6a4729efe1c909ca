/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/** A field for an option that the engine has removed, with its default in older releases. */
record OlderProperty(String name, ClassDesc type, String initial) {
  /** Returns the properties of a class with a getter, from which the type and default are known. */
  static List<OlderProperty> of(OlderMembers table, ClassDesc type) {
    List<OlderProperty> properties = new ArrayList<>();
    for (OlderMembers.Row row : table.of(type)) {
      if (row.fate() instanceof OlderMembers.Fate.Ignored ignored && row.type().parameterCount() == 0) {
        properties.add(new OlderProperty(ignored.property(), row.type().returnType(), ignored.initial()));
      }
    }
    return properties;
  }

  /**
   * Returns the field's name. The field is hidden, and not private, because copy constructors of other classes read it.
   */
  static String field(String property) {
    return "older$" + property;
  }

  /** Makes a constructor initialize the properties, with defaults or with the values of options that it copies. */
  static CodeTransform starting(OlderMembers table, ClassDesc owner, MethodTypeDesc constructor) {
    List<OlderProperty> properties = of(table, owner);
    return (code, element) -> {
      if (element instanceof ReturnInstruction) {
        properties.forEach(property -> property.start(code, table, owner, constructor));
      }
      code.with(element);
    };
  }

  private void start(CodeBuilder code, OlderMembers table, ClassDesc owner, MethodTypeDesc constructor) {
    if (initial != null) {
      code.aload(0);
      new Route.Argument.Constant(initial).push(code, type);
      code.putfield(owner, field(name), type);
    }
    for (int i = 0; i < constructor.parameterCount(); i++) {
      ClassDesc parameter = constructor.parameterType(i);
      if (of(table, parameter).stream().anyMatch(property -> property.name().equals(name))) {
        code.aload(0)
            .loadLocal(TypeKind.REFERENCE, Bodies.slot(constructor, i, false))
            .getfield(parameter, field(name), type)
            .putfield(owner, field(name), type);
      }
    }
  }
}
