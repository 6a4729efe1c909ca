/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The published classes by name, with their superclasses. */
record ClassTree(Map<ClassDesc, ClassModel> classes) {
  /** rocksdbjni's base classes with a native pointer. Subclasses are guarded by a field in the base class. */
  static final Set<ClassDesc> GUARDED =
      Set.of(
          ClassDesc.of("org.rocksdb.AbstractImmutableNativeReference"),
          ClassDesc.of("org.rocksdb.RocksMutableObject"));

  private static final ClassDesc CALLBACK = ClassDesc.of("org.rocksdb.RocksCallbackObject");

  static ClassTree of(Collection<ClassModel> published, Collection<ClassModel> glue) {
    Map<ClassDesc, ClassModel> classes = new HashMap<>();
    published.forEach(model -> classes.put(model.thisClass().asSymbol(), model));
    glue.forEach(model -> classes.put(model.thisClass().asSymbol(), model));
    return new ClassTree(classes);
  }

  /** Returns the class in {@link #GUARDED} that the class is or extends; null if none. */
  ClassDesc guardedBase(ClassDesc type) {
    return base(type, GUARDED);
  }

  /** Whether the engine calls the class, so that a rocksdbjni constructor creates its native object. */
  boolean isCallback(ClassDesc type) {
    return base(type, Set.of(CALLBACK)) != null;
  }

  private ClassDesc base(ClassDesc type, Set<ClassDesc> among) {
    ClassDesc base = type;
    while (base != null && !among.contains(base)) {
      base = superclass(base);
    }
    return base;
  }

  /** Returns the known interfaces that a class implements, including their superinterfaces. */
  Set<ClassDesc> interfaces(ClassDesc type) {
    Set<ClassDesc> interfaces = new LinkedHashSet<>();
    ClassModel model = classes.get(type);
    if (model != null) {
      for (ClassEntry parent : model.interfaces()) {
        interfaces.add(parent.asSymbol());
        interfaces.addAll(interfaces(parent.asSymbol()));
      }
    }
    return interfaces;
  }

  private ClassDesc superclass(ClassDesc type) {
    ClassModel model = classes.get(type);
    return model == null
        ? null
        : model.superclass().map(entry -> entry.asSymbol()).orElse(null);
  }

  /** Returns a resolver for the verifier, which uses the parsed classes instead of loading them. */
  ClassHierarchyResolver resolver() {
    ClassHierarchyResolver relinked = this::hierarchy;
    return relinked.orElse(ClassHierarchyResolver.defaultResolver());
  }

  private ClassHierarchyResolver.ClassHierarchyInfo hierarchy(ClassDesc type) {
    ClassModel model = classes.get(type);
    if (model == null) {
      return null;
    }
    return model.flags().has(AccessFlag.INTERFACE)
        ? ClassHierarchyResolver.ClassHierarchyInfo.ofInterface()
        : ClassHierarchyResolver.ClassHierarchyInfo.ofClass(superclass(type));
  }
}
