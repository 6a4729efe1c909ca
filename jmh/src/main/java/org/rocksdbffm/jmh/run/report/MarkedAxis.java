/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic axis with given marks, such as 1, 2, 5 and 10. */
final class MarkedAxis extends LogAxis {
  private static final long serialVersionUID = 1;
  private static final double MARGIN = 1.3;

  private final transient Map<Double, String> marks;

  private MarkedAxis(String label, Map<Double, String> marks) {
    super(label);
    this.marks = marks;
  }

  /** Returns an axis from slightly before the first mark to slightly after the last. */
  static MarkedAxis of(String label, Map<Double, String> marks) {
    MarkedAxis axis = new MarkedAxis(label, marks);
    axis.setRange(Collections.min(marks.keySet()) / MARGIN, Collections.max(marks.keySet()) * MARGIN);
    return axis;
  }

  @Override
  public List<ValueTick> refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
    TextAnchor anchor = RectangleEdge.isLeftOrRight(edge) ? TextAnchor.CENTER_RIGHT : TextAnchor.TOP_CENTER;
    return marks.entrySet().stream()
        .<ValueTick>map(mark -> new NumberTick(mark.getKey(), mark.getValue(), anchor, TextAnchor.CENTER, 0))
        .toList();
  }
}
