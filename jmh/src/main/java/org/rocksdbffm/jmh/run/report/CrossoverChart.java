/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.Group;

/** A chart of get times by value size, with a line for each method, to show where pinning gets faster than copying. */
final class CrossoverChart {
  static final int HEIGHT = 560;

  private record Line(String row, Engine engine, Color color) {}

  private static final List<Line> LINES =
      List.of(
          new Line("pinned", Engine.NATIVE, new Color(0x8c8c8c)),
          new Line("into segment", Engine.NATIVE, new Color(0xc4c4c4)),
          new Line("array", Engine.JNI, new Color(0x8c4a0a)),
          new Line("into direct buffer", Engine.JNI, new Color(0xe8a45c)),
          new Line("array", Engine.FFM, new Color(0x0b3c49)),
          new Line("into segment", Engine.FFM, new Color(0x5fb3c4)),
          new Line("pinned", Engine.FFM, new Color(0x12806a)));

  private static final MarkedAxis SIZES =
      MarkedAxis.of("the value",
          Map.of(16.0, "16 B", 256.0, "256 B", 4096.0, "4 KiB", 65536.0, "64 KiB", 0x1p20, "1 MiB"));
  private static final MarkedAxis MICROSECONDS =
      MarkedAxis.of(
          "one get",
          DoubleStream.of(1, 2, 5, 10, 20, 50, 100).boxed()
              .collect(Collectors.toMap(us -> us * 1000, "%.0f us"::formatted)));
  private static final float LINE_WIDTH = 1.8f;
  private static final int LEAST_POINTS = 3;

  private final List<Result> results;

  CrossoverChart(List<Result> results) {
    this.results = results.stream().filter(r -> r.group().equals(Group.GET.id()) && r.threads() == 1).toList();
  }

  /** Whether there are enough sizes for lines. */
  boolean hasLines() {
    return LINES.stream().allMatch(line -> pointsOf(line).size() >= LEAST_POINTS);
  }

  private List<Result> pointsOf(Line line) {
    return results.stream().filter(r -> r.row().equals(line.row()) && r.isOf(line.engine())).toList();
  }

  JFreeChart chart() {
    YIntervalSeriesCollection data = new YIntervalSeriesCollection();
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    renderer.setDefaultLinesVisible(true);
    for (Line line : LINES) {
      YIntervalSeries series = new YIntervalSeries(line.row() + ", " + line.engine().id());
      pointsOf(line).forEach(r -> series.add(r.size(), r.ns(), r.nsLow(), r.nsHigh()));
      renderer.setSeriesPaint(data.getSeriesCount(), line.color());
      renderer.setSeriesStroke(data.getSeriesCount(), new BasicStroke(LINE_WIDTH));
      data.addSeries(series);
    }
    XYPlot plot = new XYPlot(data, SIZES, MICROSECONDS, renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    JFreeChart chart = new JFreeChart("get: copy or pin, by the size of the value", plot);
    chart.setBackgroundPaint(Color.WHITE);
    return chart;
  }
}
