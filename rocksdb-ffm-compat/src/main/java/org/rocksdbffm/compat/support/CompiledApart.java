/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that the JVM's compilers call, and do not copy into the methods that call it: the relinker makes it larger than
 * what they copy. For code of many calls, which would be compiled anew at each place of a program that comes to it.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface CompiledApart {}
