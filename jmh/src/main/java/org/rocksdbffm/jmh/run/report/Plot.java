/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.w3c.dom.Document;

/** A chart with its height, which can be written to files. */
record Plot(JFreeChart chart, int height) {
  /** The width of a phone's screen, on which the text is readable. */
  private static final int WIDTH = 440;
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 14);

  Plot {
    chart.getTitle().setFont(TITLE);
  }

  static Plot of(BarChart bars) {
    return new Plot(bars.chart(), bars.height());
  }

  static Plot of(CrossoverChart crossover) {
    return new Plot(crossover.chart(), CrossoverChart.HEIGHT);
  }

  /** Returns the color of an engine in all charts. */
  static Color colorOf(Engine engine) {
    return switch (engine) {
      case NATIVE -> new Color(0x8c8c8c);
      case JNI -> new Color(0xd9822b);
      case FFM -> new Color(0x1f7a8c);
      case COMPAT -> new Color(0x7a5195);
    };
  }

  void writePng(Path file) throws IOException {
    ChartUtils.saveChartAsPNG(file.toFile(), chart, WIDTH, height);
  }

  void writeSvg(Path file) throws IOException {
    Files.writeString(file, svg());
  }

  /** Returns SVG text, which is reproducible. */
  String svg() {
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(newDocument());
    context.setComment("Drawn by ./bench");
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(WIDTH, height));
    chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
    try {
      StringWriter text = new StringWriter();
      graphics.stream(text, true);
      return text.toString();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static Document newDocument() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
