/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.data.Range;
import org.jfree.data.category.CategoryDataset;

/** Draws horizontal bars with asymmetric whiskers; the chart library's whiskers are symmetric. */
public final class WhiskerRenderer extends BarRenderer {
  private static final long serialVersionUID = 1;
  private static final BasicStroke LINE = new BasicStroke(1);
  private static final double END = 0.25;
  private static final double ROOM = 1.03;

  private final WhiskerData data;

  public WhiskerRenderer(WhiskerData data) {
    this.data = data;
  }

  @Override
  public Range findRangeBounds(CategoryDataset ignored) {
    return new Range(0, data.highest() * ROOM);
  }

  @Override
  public void drawItem(
      Graphics2D graphics,
      CategoryItemRendererState state,
      Rectangle2D area,
      CategoryPlot plot,
      CategoryAxis rows,
      ValueAxis values,
      CategoryDataset dataset,
      int row,
      int column,
      int pass) {
    super.drawItem(graphics, state, area, plot, rows, values, dataset, row, column, pass);
    MedianSpread spread = data.spread(row, column);
    if (spread == null) {
      return;
    }
    double top = calculateBarW0(plot, plot.getOrientation(), area, rows, state, row, column);
    double middle = top + state.getBarWidth() / 2;
    double end = state.getBarWidth() * END;
    double low = values.valueToJava2D(spread.low(), area, plot.getRangeAxisEdge());
    double high = values.valueToJava2D(spread.high(), area, plot.getRangeAxisEdge());
    graphics.setPaint(Color.BLACK);
    graphics.setStroke(LINE);
    graphics.draw(new Line2D.Double(low, middle, high, middle));
    graphics.draw(new Line2D.Double(low, middle - end, low, middle + end));
    graphics.draw(new Line2D.Double(high, middle - end, high, middle + end));
  }
}
