/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Creates projects of users of a release: {@code Stranger.java <tree> <folder> <repository> <version> <platform>}. One
 * project has the dependencies, the program and the output of README's first screen. The other one imports the BOM, and
 * uses the drop-in and Netty's buffers.
 */
final class Stranger {
  /** The platform in README, which is the most common. */
  private static final String NAMED = "linux-x86_64";

  private final Path tree;
  private final Path folder;
  private final String repository;
  private final String version;
  private final String platform;

  private Stranger(List<String> words) {
    this.tree = Path.of(words.get(0));
    this.folder = Path.of(words.get(1));
    this.repository = words.get(2);
    this.version = words.get(3);
    this.platform = words.get(4);
  }

  public static void main(String[] arguments) throws IOException {
    var stranger = new Stranger(List.of(arguments));
    stranger.readme();
    stranger.dropIn();
  }

  private void readme() throws IOException {
    String page = Files.readString(tree.resolve("README.md"));
    String program =
        blocks(page, "java").filter(block -> block.contains("PinnedValue")).findFirst().orElseThrow();
    String output = page.substring(page.indexOf(program));
    project("readme", "Main", "", blocks(page, "xml").findFirst().orElseThrow());
    Files.writeString(source("readme", "Main"), program);
    Files.writeString(folder.resolve("readme/expected-output"), blocks(output, "text").findFirst().orElseThrow());
  }

  private static Stream<String> blocks(String page, String language) {
    return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(page).results()
        .map(result -> result.group(1));
  }

  private void dropIn() throws IOException {
    String managed =
        """
        <dependencyManagement>
          <dependencies>
            <dependency>
              <groupId>org.rocksdbffm</groupId>
              <artifactId>rocksdb-ffm-bom</artifactId>
              <version>%s</version>
              <type>pom</type>
              <scope>import</scope>
            </dependency>
          </dependencies>
        </dependencyManagement>
        """
            .formatted(version);
    String dependencies =
        dependency("rocksdb-ffm-compat", "") + dependency("rocksdb-ffm-netty", "")
            + dependency("rocksdb-ffm-native", "<classifier>" + platform + "</classifier><scope>runtime</scope>");
    project("drop-in", "application.Main", managed, dependencies);
    Files.copy(
        tree.resolve("lab/deployments/src/test/programs/application/application/Main.java"),
        source("drop-in", "application/Main"));
    Files.writeString(folder.resolve("drop-in/expected-output"), "core drop-in\n");
  }

  private static String dependency(String name, String more) {
    return "<dependency><groupId>org.rocksdbffm</groupId><artifactId>" + name + "</artifactId>" + more
        + "</dependency>\n";
  }

  private Path source(String project, String type) throws IOException {
    Path file = folder.resolve(project).resolve("src/main/java").resolve(type + ".java");
    Files.createDirectories(file.getParent());
    return file;
  }

  private void project(String name, String main, String managed, String dependencies) throws IOException {
    Path project = Files.createDirectories(folder.resolve(name));
    Files.writeString(project.resolve("main-class"), main + "\n");
    Files.writeString(
        project.resolve("pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>stranger</groupId>
          <artifactId>%s</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.release>25</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <repositories>
            <repository><id>release</id><url>file://%s</url></repository>
          </repositories>
          %s
          <dependencies>
            %s
          </dependencies>
          <build>
            <plugins>
              %s
            </plugins>
          </build>
        </project>
        """
            .formatted(name, repository, managed, dependencies.replace(">" + NAMED + "<", ">" + platform + "<"),
                plugins()));
  }

  /** Returns the plugin versions of this build, so that no others are downloaded. */
  private String plugins() throws IOException {
    var plugins = new StringBuilder();
    String parent = Files.readString(tree.resolve("pom.xml"));
    for (String name : List.of("resources", "compiler", "surefire", "jar", "dependency")) {
      var found =
          Pattern.compile("<artifactId>(maven-" + name + "-plugin)</artifactId>\\s+<version>(.*?)</version>")
              .matcher(parent);
      if (!found.find()) {
        throw new IllegalStateException("no version of the plugin " + name);
      }
      plugins.append("<plugin><artifactId>%s</artifactId><version>%s</version></plugin>%n".formatted(found.group(1),
          found.group(2)));
    }
    return plugins.toString();
  }
}
