/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.tools.Sweeps;
import org.rocksdbffm.torture.options.OptionCase.Environment;
import org.rocksdbffm.torture.options.OptionCase.Setting;
import org.rocksdbffm.torture.options.OptionCase.Where;
import org.rocksdbffm.torture.runs.RunOutcome;

/** A JVM survives {@link OptionTorture}. */
final class OptionTortureTest {
  private static final int SECONDS = Sweeps.of(15, 300);

  @TempDir private Path folder;

  @Test
  void noOptionThatIsTakenCrashesHangsOrAnswersWrongly() throws Exception {
    long seed = Sweeps.seed();
    System.out.println("./torture --options --seed " + seed);
    RunOutcome outcome =
        new OptionTorture(Duration.ofSeconds(60), "").run(seed, Duration.ofSeconds(SECONDS));
    assertTrue(outcome.survived(), () -> "seed " + seed + "\n" + outcome.report());
    System.out.println(outcome.report());
  }

  @Test
  void withoutTheLibrarysChecksACrashIsFoundAndReplayed() throws Exception {
    OptionCase crash =
        new OptionCase(
            1,
            20,
            Environment.PLATFORM,
            List.of(new Setting(Where.CREATE, true, "table_cache_numshardbits", "1k")));
    Path file = folder.resolve("crash.case");
    crash.write(file);
    assertTrue(OptionTorture.hasSurvived(new OptionTorture(Duration.ZERO, "").runCase(file)));
    assertFalse(OptionTorture.hasSurvived(new OptionTorture(Duration.ZERO, "table_cache_numshardbits").runCase(file)));
  }

  @Test
  void aCaseIsWrittenDownAndReadAgain() throws Exception {
    Path file = folder.resolve("some.case");
    for (long seed = 0; seed < 3000; seed++) {
      OptionCase some = OptionCase.of(seed);
      assertEquals(some, OptionCase.of(seed));
      some.write(file);
      assertEquals(some, OptionCase.read(file), Files.readString(file));
    }
  }

  @Test
  void aFailingCaseIsShrunkToTheOptionsThatMatter() {
    Setting one = new Setting(Where.CREATE, true, "one", "1");
    Setting other = new Setting(Where.LIVE, false, "other", "{a=b}");
    Setting more = new Setting(Where.REOPEN, false, "more", "");
    OptionCase failing = new OptionCase(7, 64, Environment.VIRTUAL, List.of(more, one, more, other, more));
    OptionCase smallest =
        OptionTorture.smallest(
            failing,
            some -> some.settings().containsAll(List.of(one, other)) && some.steps() >= 10,
            Duration.ofSeconds(30));
    assertEquals(new OptionCase(7, 16, Environment.VIRTUAL, List.of(one, other)), smallest);
  }

  @Test
  void everyOptionOfTheTableIsDrawn() {
    List<String> drawn =
        java.util.stream.LongStream.range(0, 30_000)
            .boxed()
            .flatMap(seed -> OptionCase.of(seed).settings().stream())
            .map(setting -> setting.name() + setting.value())
            .distinct()
            .toList();
    for (KnownOption option : KnownOption.all()) {
      assertTrue(drawn.stream().anyMatch(text -> text.contains(option.name())), option.name());
    }
  }
}
