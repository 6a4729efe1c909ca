#!/usr/bin/env bash
# Builds the fuzzing target for OSS-Fuzz in $OUT: a start script, the JDK, the jars, and the seeds. The compiler of the
# stubs is the system's, without the flags of a fuzzer, because the target is in Java.
set -euo pipefail
unset CFLAGS CXXFLAGS
export CC=gcc CXX=g++
mvn -B -q package dependency:copy-dependencies -Pfuzz -DskipTests -Dcyclonedx.skip=true -pl lab/fuzz -am \
  -DincludeScope=test -DoutputDirectory="$OUT/jars"
cp -R lab/fuzz/target/test-classes "$OUT/classes"
cp -R "$JAVA_HOME" "$OUT/jdk"
cat >"$OUT/Fuzz" <<'START'
#!/usr/bin/env bash
# LLVMFuzzerTestOneInput: by this name OSS-Fuzz finds the target.
out=$(cd "$(dirname "$0")" && pwd)
exec "$out/jdk/bin/java" --enable-native-access=ALL-UNNAMED -Djdk.attach.allowAttachSelf=true \
  -XX:+EnableDynamicAgentLoading -Xmx1g -cp "$out/classes:$out/jars/*" com.code_intelligence.jazzer.Jazzer \
  --target_class=org.rocksdbffm.fuzz.Fuzz --instrumentation_includes='org.rocksdbffm.**' \
  --disabled_hooks='com.code_intelligence.jazzer.sanitizers.*' "$@"
START
chmod +x "$OUT/Fuzz"
printf '[libfuzzer]\nmax_len = 4096\ntimeout = 10\n' >"$OUT/Fuzz.options"
work=$(mktemp -d)
(cd "$work" && "$OUT/jdk/bin/java" --enable-native-access=ALL-UNNAMED -Djdk.attach.allowAttachSelf=true \
  -XX:+EnableDynamicAgentLoading -cp "$OUT/classes:$OUT/jars/*" org.rocksdbffm.fuzz.Fuzz -runs=0 \
  && zip -q -r "$OUT/Fuzz_seed_corpus.zip" corpus)
