/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an {@code org.rocksdb} member that rocksdbjni has removed, kept for programs compiled against older releases.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.FIELD})
public @interface LastIn {
  /** The last release known to contain the member. */
  String value();
}
