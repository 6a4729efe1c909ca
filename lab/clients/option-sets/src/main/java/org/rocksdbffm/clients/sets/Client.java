/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * The source of a project's options: its repository, the file, and the date of the file's last change, or the release.
 * A method with this annotation calls the same setters as the file, with the project's defaults. It omits setters that
 * rocksdbjni 11.8.1 has removed, and uses fixed sizes if the project computes them from the machine.
 */
@Retention(RetentionPolicy.RUNTIME)
@interface Client {
  String of();

  String file();

  String date();
}
