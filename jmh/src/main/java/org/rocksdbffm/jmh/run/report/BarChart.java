/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.awt.Color;
import java.util.List;
import java.util.stream.Stream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.rocksdbffm.jmh.run.plan.Engine;

/** A chart of horizontal bars, one for each row and engine; shorter is faster. */
final class BarChart {
  private static final int ROW_HEIGHT = 24;
  private static final int REST_HEIGHT = 110;
  private static final double ITEM_MARGIN = 0;
  private static final float LABEL_RATIO = 0.4f;

  private final String title;
  private final WhiskerData data = new WhiskerData();
  private final List<Engine> engines;

  BarChart(String title, List<Result> results) {
    this.title = title;
    engines = Stream.of(Engine.values()).filter(engine -> results.stream().anyMatch(r -> r.isOf(engine))).toList();
    results.forEach(data::add);
  }

  /** Returns the height that the bars need. */
  int height() {
    return REST_HEIGHT + data.getColumnCount() * engines.size() * ROW_HEIGHT * 2 / 3;
  }

  JFreeChart chart() {
    CategoryAxis rows = new CategoryAxis();
    rows.setMaximumCategoryLabelWidthRatio(LABEL_RATIO);
    NumberAxis nanoseconds = new NumberAxis("median of the rounds; whiskers from the lowest to the highest");
    nanoseconds.setNumberFormatOverride(new TimeFormat());
    WhiskerRenderer renderer = new WhiskerRenderer(data);
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setItemMargin(ITEM_MARGIN);
    for (Engine engine : engines) {
      renderer.setSeriesPaint(data.getRowIndex(engine.id()), Plot.colorOf(engine));
    }
    CategoryPlot plot = new CategoryPlot(data, rows, nanoseconds, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    JFreeChart chart = new JFreeChart(title, plot);
    chart.setBackgroundPaint(Color.WHITE);
    return chart;
  }
}
