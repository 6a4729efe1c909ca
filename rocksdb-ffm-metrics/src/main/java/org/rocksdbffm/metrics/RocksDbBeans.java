/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Registers the metrics of all open databases in the process as JMX beans in the domain {@code org.rocksdbffm}: one
 * bean for each database, each column family, and the process. Beans are added when a database or column family is
 * opened, and removed when it is closed. Thread-safe.
 */
public final class RocksDbBeans implements AutoCloseable {
  private final Watcher watcher;

  private RocksDbBeans(MBeanServer server) {
    watcher = new Watcher(new Beans(server));
  }

  /**
   * Registers the beans with the platform's MBean server.
   *
   * @return a handle that removes the beans when it is closed
   */
  public static RocksDbBeans register() {
    return register(ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers the beans with an MBean server.
   *
   * @param server the MBean server
   * @return a handle that removes the beans when it is closed
   */
  public static RocksDbBeans register(MBeanServer server) {
    return new RocksDbBeans(requireNonNull(server, "server"));
  }

  /** Removes the beans. Idempotent. */
  @Override
  public void close() {
    watcher.close();
  }

  private static final class Beans implements Sink {
    private final MBeanServer server;
    private final Map<Map<String, String>, MetricBean> byOwner = new HashMap<>();

    Beans(MBeanServer server) {
      this.server = server;
    }

    @Override
    public void add(Series series) {
      byOwner.computeIfAbsent(owner(series), this::registered).add(series);
    }

    /** Returns the tags that identify the bean of a series; all series of the process are in one bean. */
    private static Map<String, String> owner(Series series) {
      return series.owner().containsKey("database") ? series.owner() : Map.of();
    }

    private MetricBean registered(Map<String, String> owner) {
      MetricBean bean = new MetricBean();
      Hashtable<String, String> keys = new Hashtable<>();
      keys.put("type", owner.isEmpty() ? "Process" : owner.containsKey("family") ? "Family" : "Database");
      owner.forEach((key, value) -> keys.put(key, ObjectName.quote(value)));
      try {
        try {
          bean.name = new ObjectName("org.rocksdbffm", keys);
          server.registerMBean(bean, bean.name);
        } catch (InstanceAlreadyExistsException e) { // registered by another call or class loader
          keys.put("registration", String.valueOf(System.identityHashCode(this)));
          bean.name = new ObjectName("org.rocksdbffm", keys);
          server.registerMBean(bean, bean.name);
        }
        return bean;
      } catch (JMException e) {
        throw new IllegalStateException("no bean of " + owner, e);
      }
    }

    @Override
    public void remove(Series series) {
      MetricBean bean = byOwner.get(owner(series));
      if (bean.removeToTheLast(series)) {
        byOwner.remove(owner(series));
        try {
          server.unregisterMBean(bean.name);
        } catch (InstanceNotFoundException e) {
          return; // removed by other code
        } catch (JMException e) {
          throw new IllegalStateException("a bean cannot be removed", e);
        }
      }
    }
  }
}
