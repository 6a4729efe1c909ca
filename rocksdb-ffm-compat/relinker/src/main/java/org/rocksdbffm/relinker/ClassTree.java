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

/** The published classes by name, and who extends whom. */
record ClassTree(Map<ClassDesc, ClassModel> classes) {
  /** Upstream's classes that hold a native pointer; what extends one is guarded by the field put there. */
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

  /** The class among {@link #GUARDED} that this one extends or is; null if there is none. */
  ClassDesc guardedBase(ClassDesc type) {
    return base(type, GUARDED);
  }

  /** Whether the class is called by the engine, and so makes its native object in a constructor of upstream's. */
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

  /** The interfaces that a class implements, and those that these extend, as far as they are known. */
  Set<ClassDesc> interfaces(ClassDesc type) {
    Set<ClassDesc> interfaces = new LinkedHashSet<>();
    ClassModel model = classes.get(type);
    if (model != null) {
      for (ClassEntry its : model.interfaces()) {
        interfaces.add(its.asSymbol());
        interfaces.addAll(interfaces(its.asSymbol()));
      }
    }
    return interfaces;
  }

  private ClassDesc superclass(ClassDesc type) {
    ClassModel model = classes.get(type);
    return model == null
        ? null
        : model.superclass().map(its -> its.asSymbol()).orElse(null);
  }

  /** For the verifier's types: classes that are relinked are taken from here and not loaded. */
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
