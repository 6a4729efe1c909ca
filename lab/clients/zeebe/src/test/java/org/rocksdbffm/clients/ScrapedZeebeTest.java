/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.tools.attach.VirtualMachine;
import java.nio.file.Path;
import java.util.List;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the program's database metrics from another process; only a system property enables them. */
class ScrapedZeebeTest {
  private static final String CLASS_PATH = System.getProperty("client.class.path");

  @TempDir Path folder;

  /** The program, which waits while its state is open. */
  private static final class Waiting extends Cluster {
    Waiting(Path folder) throws Exception {
      super(new Program(Zeebe.class.getName(), CLASS_PATH, List.of("-Dorg.rocksdbffm.metrics=jmx"), 60), folder, 1);
      start(0, "waits");
    }

    long pid() {
      return pid(0);
    }
  }

  @Test
  void aPropertyAloneExportsFiguresOfTheState() throws Exception {
    try (Waiting program = new Waiting(folder)) {
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(program.pid()));
      String address = machine.startLocalManagementAgent();
      machine.detach();
      try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
        check(program, connector.getMBeanServerConnection());
      }
      program.end();
    }
  }

  private void check(Waiting program, MBeanServerConnection beans) throws Exception {
    String database = "database=" + ObjectName.quote(folder.toRealPath().resolve("member-0/" + Zeebe.STATE).toString());
    ObjectName family = new ObjectName("org.rocksdbffm:type=Family,family=\"default\"," + database);
    program.await("all jobs", () -> value(beans, family, "KeysEstimate") == Zeebe.JOBS);
    ObjectName counts = new ObjectName("org.rocksdbffm:type=Database," + database);
    program.await("all writes", () -> value(beans, counts, "KeysWritten") >= Zeebe.JOBS);
    assertEquals(0, value(beans, counts, "BackgroundFailures"));
    ObjectName process = new ObjectName("org.rocksdbffm:type=Process");
    program.await(
        "an open database", // the readings of each bean are cached, since different times
        () -> value(beans, process, "ObjectsOpenOptimisticTransactionDB") == 1);
  }

  private static double value(MBeanServerConnection beans, ObjectName name, String attribute) {
    try {
      return beans.isRegistered(name) ? (double) beans.getAttribute(name, attribute) : Double.NaN;
    } catch (AttributeNotFoundException notYet) {
      return Double.NaN;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
