/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PlotsTest {
  @TempDir private Path folder;

  private static Result at(int size, String row, Engine engine, double nanos) {
    return new Result("get", row, size, 1, engine.id(), nanos, nanos * 0.9, nanos * 1.5, 0.0, null, null, null, null);
  }

  @Test
  void eachPlotIsWrittenAsSvgAndAsPng() throws Exception {
    Plots plots = new Plots(List.of(at(100, "array", Engine.JNI, 900), at(100, "array", Engine.FFM, 800)));
    plots.write(folder, "results");
    BufferedImage image = ImageIO.read(folder.resolve("results-get-100.png").toFile());
    assertNotNull(image);
    assertTrue(image.getWidth() > image.getHeight());
    DocumentBuilderFactory parsers = DocumentBuilderFactory.newDefaultInstance();
    parsers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    String text = plots.byName().get("get-100").svg();
    Document svg = parsers.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    assertEquals("svg", svg.getDocumentElement().getTagName());
    assertTrue(svg.getDocumentElement().getTextContent().contains("array"));
  }

  @Test
  void sizesThatDifferHaveBarsOfTheirOwnAndManyMakeALineChart() {
    List<Result> results = new ArrayList<>();
    for (int size : List.of(100, 4096, 65536)) {
      for (String row : List.of("pinned", "into segment", "array", "into direct buffer")) {
        for (Engine engine : List.of(Engine.NATIVE, Engine.JNI, Engine.FFM)) {
          results.add(at(size, row, engine, size));
        }
      }
    }
    assertEquals(
        Set.of("get-100", "get-4096", "get-65536", Plots.CROSSOVER), Set.copyOf(new Plots(results).byName().keySet()));
  }

  @Test
  void percentilesAreApartFromAverages() {
    Plots plots = new Plots(List.of(at(4096, "array p99.9", Engine.JNI, 900), at(4096, "array", Engine.JNI, 8)));
    assertEquals(Set.of("get-4096", Plots.TAILS), plots.byName().keySet());
  }

  @Test
  void theAxisHasRoomForTheLongestWhisker() {
    WhiskerData data = new WhiskerData();
    data.add(at(100, "array", Engine.FFM, 100));
    assertEquals(150, data.highest());
    assertTrue(new WhiskerRenderer(data).findRangeBounds(data).contains(150));
    assertEquals(new MedianSpread(90, 100, 150), data.spread(0, 0));
  }
}
