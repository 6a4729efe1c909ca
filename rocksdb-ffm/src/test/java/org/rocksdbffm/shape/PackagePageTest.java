/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the tables of the public package's page with its types. */
class PackagePageTest {
  private static final Path PACKAGE = Path.of("src/main/java/org/rocksdbffm");
  private static final Pattern LINK = Pattern.compile("\\{@link\\s+(?:\\*\\s+)?org\\.rocksdbffm\\.([A-Z][\\w.]*)");

  @Test
  void everyPublicTypeIsInTheTableOfTasks() throws Exception {
    Set<String> types = names(type -> !type.isMemberClass());
    Set<String> named = named("All types by task");
    assertTrue(types.size() > 50, types::toString);
    types.removeAll(named);
    assertEquals(Set.of(), types);
  }

  @Test
  void everyTypeThatIsClosedIsInTheTableOfOwnership() throws Exception {
    Set<String> closed = names(PackagePageTest::isClosed);
    assertTrue(closed.size() > 15, closed::toString);
    assertEquals(closed, named("All types that are closed"));
  }

  /** Whether a program closes objects of the type; an abstract type is listed by its subtypes. */
  private static boolean isClosed(Class<?> type) {
    return AutoCloseable.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers());
  }

  private static Set<String> named(String caption) throws IOException {
    String page = Files.readString(PACKAGE.resolve("package-info.java"));
    String table = page.substring(page.indexOf("<caption>" + caption + "</caption>"));
    return LINK.matcher(table.substring(0, table.indexOf("</table>"))).results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the names of the public types, without the package. */
  private static Set<String> names(Predicate<Class<?>> wanted) throws Exception {
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(PACKAGE)) {
      for (Path file : files.filter(each -> each.toString().matches(".*/[A-Z]\\w+\\.java")).toList()) {
        addPublic(Class.forName("org.rocksdbffm." + file.getFileName().toString().replace(".java", "")), types);
      }
    }
    return types.stream()
        .filter(wanted)
        .map(type -> type.getCanonicalName().substring("org.rocksdbffm.".length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void addPublic(Class<?> type, List<Class<?>> types) {
    if (Modifier.isPublic(type.getModifiers())) {
      types.add(type);
      for (Class<?> member : type.getDeclaredClasses()) {
        addPublic(member, types);
      }
    }
  }
}
