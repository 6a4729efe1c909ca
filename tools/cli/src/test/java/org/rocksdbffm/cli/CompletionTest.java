/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The installed shells complete commands, options and their values. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionTest {
  @TempDir private Path folder;

  private List<String> run(String shell, String program) throws Exception {
    assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.exists(Path.of(path, shell))), shell);
    Path completion = Files.write(folder.resolve("completion"), CommandRun.lines(0, "generate-completion"));
    Process process =
        new ProcessBuilder(shell, "-c", program, shell, completion.toString()).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void bashCompletes() throws Exception {
    assertEquals(
        List.of("complete -o default -F _complete_rocksdb-ffm rocksdb-ffm", "backup", "create", "--key-file --key",
            "text hex base64 json"),
        run("bash", """
            source "$1"
            compopt() { :; } # works within a completion alone
            complete -p rocksdb-ffm
            try() { COMP_WORDS=(rocksdb-ffm "$@"); COMP_CWORD=$#; _complete_rocksdb-ffm; echo "${COMPREPLY[@]}"; }
            try ba
            try backup cr
            try scan db --ke
            try scan db --key ''
            """));
  }

  @Test
  void zshCompletes() throws Exception {
    assertEquals(
        List.of("completed"),
        run("zsh", """
            zmodload zsh/zpty
            zpty -b shell zsh -f -i
            await() { until [[ $out == *$~1* ]]; do zpty -r -t shell some && out+=$some || sleep 0.1; done }
            zpty -w shell "autoload -U compinit bashcompinit; compinit -u -D; bashcompinit; source '$1'; print rea''dy"
            await ready
            out=; zpty -n -w shell $'rocksdb-ffm back\\tcr\\t'; await 'backup*create'
            out=; zpty -n -w shell $'\\C-urocksdb-ffm scan db --ke\\the\\t'; await '--key*hex'
            print completed
            """));
  }
}
