/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/**
 * A program on {@code org.rocksdb} that does not configure metrics, and code that reads its MBeans, as an agent would.
 */
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
    // attributes are added to a bean one after another
    Wait.until("the beans", () -> has(server, family, "KeysEstimate"));
    System.out.println("keys: " + server.getAttribute(family, "KeysEstimate"));
    ObjectName counts = new ObjectName("org.rocksdbffm:type=Database,database=" + database);
    System.out.println("written: " + server.getAttributes(counts, new String[] {"KeysWritten"}));
    Set<ObjectName> processes = server.queryNames(new ObjectName("org.rocksdbffm:type=Process"), null);
    for (ObjectName process : processes) {
      System.out.println("databases: " + server.getAttribute(process, "DatabasesOpen"));
      System.out.println("attributes: " + server.getMBeanInfo(process).getAttributes().length);
    }
  }

  private static boolean has(MBeanServer server, ObjectName bean, String attribute) {
    try {
      return !server.getAttributes(bean, new String[] {attribute}).isEmpty();
    } catch (InstanceNotFoundException notYet) {
      return false;
    } catch (ReflectionException e) {
      throw new AssertionError(e);
    }
  }
}
