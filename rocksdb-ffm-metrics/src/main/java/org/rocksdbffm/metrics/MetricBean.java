/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

/** A bean with an attribute for each of its series. Thread-safe. */
final class MetricBean implements DynamicMBean {
  private final Map<String, Series> attributes = new ConcurrentSkipListMap<>();

  /** The bean's name; null until it is registered. */
  ObjectName name;

  void add(Series series) {
    attributes.put(name(series), series);
  }

  /** Removes a series; returns whether the bean has no series left. */
  boolean removeToTheLast(Series series) {
    attributes.remove(name(series));
    return attributes.isEmpty();
  }

  private static String name(Series series) {
    return series.metric().attributeName() + Metric.withoutSigns(series.owner().getOrDefault("kind", ""));
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Series series = attributes.get(name);
    if (series == null) {
      throw new AttributeNotFoundException("no metric " + name + "; MBeanInfo lists the metrics");
    }
    return series.value();
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    for (String name : names) {
      Series series = attributes.get(name);
      if (series != null) {
        list.add(new Attribute(name, series.value()));
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException("the metric " + attribute.getName() + " cannot be set: metrics are read");
  }

  @Override
  public AttributeList setAttributes(AttributeList list) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] arguments, String[] signature) {
    throw new UnsupportedOperationException("no operation " + action + ": metrics have none; read their attributes");
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] infos =
        attributes.entrySet().stream()
            .map(
                entry -> {
                  Metric metric = entry.getValue().metric();
                  String description = metric.description() + " (" + metric.unit() + ")";
                  return new MBeanAttributeInfo(entry.getKey(), "double", description, true, false, false);
                })
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(MetricBean.class.getName(), "Metrics of RocksDB", infos, null, null, null);
  }
}
