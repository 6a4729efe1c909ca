/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Where a project's options are written: its repository, the file, and the day on which that file was last changed, or
 * the release. A method that has this calls the setters that the file calls, with what they are given by default. Setters
 * that rocksdbjni 11.8.1 does not have any more are left out; sizes that the project takes from the machine are chosen.
 */
@Retention(RetentionPolicy.RUNTIME)
@interface Client {
  String of();

  String file();

  String date();
}
