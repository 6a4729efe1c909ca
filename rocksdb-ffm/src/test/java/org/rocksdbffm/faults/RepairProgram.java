/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import java.nio.file.Path;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDbException;

/** Repairs a database, and prints the outcome. */
final class RepairProgram {
  private RepairProgram() {}

  public static void main(String[] arguments) {
    try {
      System.out.println(Repair.of(Path.of(arguments[0])));
    } catch (RocksDbException e) {
      System.out.println(e.code() + " " + e.getMessage());
    }
  }
}
