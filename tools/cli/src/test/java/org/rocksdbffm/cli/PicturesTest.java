/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of the page show the lines that the commands print, except for numbers, and align columns in browsers.
 */
class PicturesTest {
  private static final Path PICTURES = Repository.ROOT.resolve("docs/pictures");
  private static final List<String> IN_ORDER = List.of("info", "scan", "stats", "backup"); // as they were recorded
  private static final Pattern TEXT = Pattern.compile("<text ([^>]*)>([^<]*)</text>");
  private static final String COMMAND = "$ ./cli ";

  @TempDir private Path folder;

  private static String picture(String name) throws IOException {
    return Files.readString(PICTURES.resolve(name + ".svg"));
  }

  private static List<String> lines(String name) throws IOException {
    return TEXT.matcher(picture(name))
        .results()
        .map(text ->
            text.group(2).replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        .toList();
  }

  @Test
  void eachTextKeepsItsSpacesAndAllPicturesHaveOneWidth() throws IOException {
    TreeSet<String> widths = new TreeSet<>();
    for (String name : IN_ORDER) {
      Matcher text = TEXT.matcher(picture(name));
      while (text.find()) {
        assertTrue(text.group(1).startsWith("xml:space=\"preserve\" style=\"white-space:pre\" "), text.group());
      }
      widths.add(picture(name).replaceFirst("(?s).* width=\"(\\d+)\" height.*", "$1"));
    }
    assertEquals(1, widths.size(), widths.toString());
    assertTrue(Files.readString(Repository.ROOT.resolve("docs/command-line.md")).contains("](pictures/info.svg)"));
  }

  @Test
  void eachPictureShowsTheLinesThatItsCommandsPrint() throws Exception {
    Path rows = folder.resolve("rows");
    for (int count : new int[] {60_000, 20_000}) {
      Files.write(rows, orders(count));
      List<Object> load = new ArrayList<>(List.of("load", folder.resolve("orders-db"), rows));
      load.addAll(count == 60_000 ? List.of("--create") : List.of());
      CommandRun.lines(0, load.toArray());
    }
    Files.delete(rows);
    for (String name : IN_ORDER) {
      List<String> shown = lines(name);
      List<String> printed = new ArrayList<>();
      for (String line : shown) {
        if (line.startsWith(COMMAND)) {
          printed.add(line);
          CommandRun.lines(0, arguments(line)).forEach(each -> printed.add(each.replace(folder + "/", "")));
        }
      }
      assertEquals(shape(shown), shape(printed), name
          + ".svg shows other lines than are printed today: run build/pictures");
    }
  }

  private Object[] arguments(String line) {
    Object[] words = List.of(line.substring(COMMAND.length()).split(" ")).toArray(Object[]::new);
    for (int i = 0; i < words.length; i++) {
      words[i] = List.of("orders-db", "backups").contains(words[i]) && !words[0].equals(words[i])
          ? folder.resolve((String) words[i]) : words[i];
    }
    return words;
  }

  /**
   * Returns the lines without their numbers, and with single spaces, because the widths of columns depend on the
   * numbers.
   */
  private static String shape(List<String> lines) {
    return lines.stream()
        .map(line -> line.startsWith(COMMAND) ? line
            : line.replaceAll("[0-9]+", "9").replaceAll("#+", "#").replaceAll("\\s+", " ").strip())
        .collect(Collectors.joining("\n"));
  }

  private static List<String> orders(int count) {
    Random draw = new Random(1);
    return IntStream.range(0, count).mapToObj(number -> {
      String value = "{\"customer\":%d,\"items\":%d,\"cents\":%d}".formatted(draw.nextInt(4000), draw.nextInt(1, 9),
          draw.nextInt(300, 99_999));
      return "0x" + hex("order:2026-%06d".formatted(number)) + " ==> 0x" + hex(value);
    }).toList();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }
}
