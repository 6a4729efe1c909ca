/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** A program of plain org.rocksdb, which knows of no figures; and what looks at its beans from outside of it. */
final class PlainProgram {
  private PlainProgram() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("plain");
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put("a".getBytes(), "b".getBytes());
      print(folder);
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName all = new ObjectName("org.rocksdbffm:type=Database,*");
    Wait.until("the end of the bean", () -> server.queryNames(all, null).isEmpty());
    System.out.println("the bean has ended");
  }

  private static void print(Path folder) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    String database = ObjectName.quote(folder.toString());
    ObjectName family = new ObjectName("org.rocksdbffm:type=Family,database=" + database + ",family=\"default\"");
    Wait.until("the beans", () -> server.isRegistered(family));
    System.out.println("keys: " + server.getAttribute(family, "KeysEstimate"));
    ObjectName counts = new ObjectName("org.rocksdbffm:type=Database,database=" + database);
    System.out.println("written: " + server.getAttributes(counts, new String[] {"KeysWritten"}));
    Set<ObjectName> processes = server.queryNames(new ObjectName("org.rocksdbffm:type=Process"), null);
    for (ObjectName process : processes) {
      System.out.println("databases: " + server.getAttribute(process, "DatabasesOpen"));
      System.out.println("attributes: " + server.getMBeanInfo(process).getAttributes().length);
    }
  }
}
