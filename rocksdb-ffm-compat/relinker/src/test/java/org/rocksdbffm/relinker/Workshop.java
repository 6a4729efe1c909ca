/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.constant.MethodTypeDesc;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A small library with native methods, its glue, and the tables to relink the library with the glue. */
final class Workshop {
  /** The classes that relinked code calls at run time, which here only record the calls. */
  private static final List<String> RUNTIME =
      List.of(
          """
          package org.rocksdbffm.internal.call;
          public class Call {}
          """,
          """
          package org.rocksdbffm.compat;
          public class Log {
            public static final StringBuilder TEXT = new StringBuilder();
            public static void add(Object text) { TEXT.append(text).append('\\n'); }
          }
          """,
          """
          package org.rocksdbffm.compat.jni;
          import org.rocksdbffm.compat.Log;
          import java.lang.invoke.*;
          public class Bootstrap {
            public static CallSite function(MethodHandles.Lookup caller, String symbol, MethodType type) {
              return answer("c " + symbol, type);
            }
            public static CallSite environment(MethodHandles.Lookup caller, String symbol, MethodType type) {
              return answer("env " + symbol, type);
            }
            private static CallSite answer(String text, MethodType type) {
              Log.add("linked " + text + type.toMethodDescriptorString());
              try {
                MethodHandle call = MethodHandles.lookup().findStatic(Bootstrap.class, "call",
                    MethodType.methodType(Object.class, String.class, Class.class, Object[].class));
                call = MethodHandles.insertArguments(call, 0, text, type.returnType());
                return new ConstantCallSite(call.asCollector(Object[].class, type.parameterCount()).asType(type));
              } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
              }
            }
            static Object call(String text, Class<?> result, Object[] arguments) {
              Log.add("called " + text + java.util.Arrays.toString(arguments));
              return result == int.class ? (Object) (-1) : result == long.class ? (Object) (-1L)
                  : result == double.class ? (Object) 0.5 : null;
            }
          }
          """,
          """
          package org.rocksdbffm.compat.jni;
          import org.rocksdbffm.compat.Log;
          import java.lang.foreign.*;
          import java.lang.invoke.*;
          public class SharedDowncalls {
            public static MemorySegment function(MethodHandles.Lookup caller, String symbol, Class<?> type) {
              Log.add("found c " + symbol);
              return MemorySegment.ofArray(symbol.getBytes());
            }
            public static long six(long a, long b, long c, long d, long e, long f, MemorySegment function) {
              Log.add("called c " + new String(function.toArray(ValueLayout.JAVA_BYTE))
                  + java.util.Arrays.toString(new long[] {a, b, c, d, e, f}));
              return -1;
            }
          }
          """,
          """
          package org.rocksdbffm.compat.support;
          import org.rocksdbffm.compat.Log;
          import org.rocksdbffm.internal.call.Call;
          public class Scratch {
            public static Call enter() { Log.add("enter"); return new Call(); }
            public static void leave(Call call) { Log.add("leave"); }
            public static long error(Call call) { return 99; }
            public static void check(Call call) { Log.add("check"); }
            public static long wrap(Call call, int word, long pointer) { return 1000 * word + pointer; }
            public static long text(Call call, String text) { return text.length(); }
            public static boolean isTrue(int number) { return number != 0; }
          }
          """,
          """
          package org.rocksdbffm.compat.lifetime;
          import org.rocksdbffm.compat.Log;
          public class Guard {
            private final Object object;
            public Guard(Object object) { this.object = object; }
            public static Object use(Guard guard, Object chain) { Log.add("use " + guard.object); return "used"; }
            public static Object useAll(java.util.List<?> objects, Object chain) { Log.add("use all"); return "used"; }
            public static Object share(Guard guard, Object chain) { Log.add("share " + guard.object); return "shared"; }
            public static void leave(Object chain) { Log.add("leave " + chain); }
            public static void check(Guard guard) { Log.add("check " + guard.object); }
            public static boolean mayDispose(java.util.concurrent.atomic.AtomicBoolean owning, Guard guard) {
              Log.add("may dispose"); return owning.compareAndSet(true, false);
            }
            public static void made(Guard guard, long pointer) {}
          }
          """,
          """
          package org.rocksdbffm.compat.membership;
          import org.rocksdbffm.compat.Log;
          import org.rocksdbffm.compat.lifetime.Guard;
          public class Membership {
            public static Guard together(Guard guard, Guard whose) { Log.add("together"); return guard; }
            public static Guard together(java.util.List<?> objects, Guard whose) { Log.add("all together"); return whose; }
          }
          """,
          """
          package org.rocksdbffm.compat.support;
          import org.rocksdbffm.compat.Log;
          public class Arguments {
            public static void object(long pointer, String name) { Log.add(name + " is object " + pointer); }
            public static void range(long value, long least, long most, String name) {
              Log.add(name + " is " + value + " from " + least + " to " + most);
            }
            public static void present(Object value, String name) { Log.add(name + " is there"); }
            public static void section(byte[] array, int offset, int length, String name) {
              Log.add(name + " is " + offset + "+" + length + " of " + array.length);
            }
            public static void option(long object, String scope, String name, long value) {
              Log.add(scope + " " + name + " is " + value + " in " + object);
            }
          }
          """,
          """
          package org.rocksdbffm.compat.woven;
          import org.rocksdbffm.compat.Log;
          public class WovenLifetimes {
            public static void adopts(Object parent, Object child) { Log.add(parent + " adopts " + child); }
            public static void owns(Object parent, Object child) { Log.add(parent + " owns " + child); }
            public static void keeps(Object owner, String what, Object kept) {
              Log.add(owner + " keeps " + what + " " + kept);
            }
            public static void uses(Object object, Object other) { Log.add(object + " uses " + other); }
            public static void lends(Object borrowed, Object lender) { Log.add(lender + " lends " + borrowed); }
            public static void ends(Object lender) { Log.add("ends in " + lender); }
            public static void mayTakeOver(Object base) { Log.add("may take over " + base); }
            public static void takesOver(Object iterator, Object other) { Log.add(iterator + " takes over " + other); }
            public static void mayRenew(Object db, Object child) { Log.add(db + " may renew " + child); }
            public static void inherits(Object heir, Object from) { Log.add(heir + " inherits " + from); }
          }
          """);

  private static final List<String> BASE =
      List.of(
          """
          package org.rocksdb;
          public abstract class AbstractImmutableNativeReference {
            protected final java.util.concurrent.atomic.AtomicBoolean owningHandle_ =
                new java.util.concurrent.atomic.AtomicBoolean(true);
          }
          """,
          """
          package org.rocksdb;
          public class RocksObject extends AbstractImmutableNativeReference {
            protected final long nativeHandle_;
            protected RocksObject(long nativeHandle) { nativeHandle_ = nativeHandle; }
          }
          """);

  private final Path folder;
  private final List<String> published = new ArrayList<>(BASE);
  private final List<String> glue = new ArrayList<>(RUNTIME);
  private String routes = "";
  private String cApi = "";
  private String lifetimes = "";
  private String older = "";
  private String arguments;

  Workshop(Path folder) {
    this.folder = folder;
  }

  Workshop published(String source) {
    published.add("package org.rocksdb;\n" + source);
    return this;
  }

  Workshop glue(String source) {
    glue.add("package org.rocksdbffm.compat;\n" + source);
    return this;
  }

  Workshop routes(String text) {
    routes = text;
    return this;
  }

  Workshop cApi(String text) {
    cApi = text;
    return this;
  }

  Workshop lifetimes(String text) {
    lifetimes = text;
    return this;
  }

  Workshop older(String text) {
    older = text;
    return this;
  }

  /** Sets the table of arguments; by default, all arguments are accepted. */
  Workshop arguments(String text) {
    arguments = text;
    return this;
  }

  /** Returns rows that accept all arguments, for native methods with routes. */
  private static String anyArguments(String routes) {
    StringBuilder rows = new StringBuilder();
    for (String line : routes.lines().toList()) {
      String[] words = line.split("\\s+");
      if (line.startsWith("[")) {
        rows.append(line);
      } else if (words.length > 2 && !words[2].equals("instead") && !words[1].startsWith("()")) {
        int parameters = MethodTypeDesc.ofDescriptor(words[1]).parameterCount();
        rows.append(words[0]).append(' ').append(words[1]).append(" it=checked".repeat(parameters));
      }
      rows.append('\n');
    }
    return rows.toString();
  }

  Report relink() throws IOException {
    Path jar = folder.resolve("published.jar");
    Path publishedClasses = compile(published, "published", "");
    pack(publishedClasses, jar);
    compile(glue, "output", publishedClasses.toString());
    Path routeFolder = Files.createDirectories(folder.resolve("routes"));
    Files.writeString(routeFolder.resolve("test.routes"), routes);
    Files.writeString(routeFolder.resolve("lifetimes.txt"), lifetimes);
    Files.writeString(routeFolder.resolve(OlderMembers.FILE), older);
    Files.writeString(routeFolder.resolve("test.arguments"), arguments == null ? anyArguments(routes) : arguments);
    Files.writeString(folder.resolve("c-api.txt"), cApi);
    return relinkAgain();
  }

  /** Relinks the published jar with glue that may be linked already. */
  Report relinkAgain() throws IOException {
    return Relinker.relink(
        folder.resolve("published.jar"),
        folder.resolve("routes"),
        folder.resolve("c-api.txt"),
        folder.resolve("output"));
  }

  /** Runs a static method without parameters of a relinked class, and returns what the runtime recorded. */
  String run(String type, String method) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new java.net.URL[] {folder.resolve("output").toUri().toURL()})) {
      var run = loader.loadClass("org.rocksdb." + type).getDeclaredMethod(method);
      run.setAccessible(true);
      run.invoke(null);
      return loader.loadClass("org.rocksdbffm.compat.Log").getField("TEXT").get(null).toString();
    }
  }

  private Path compile(List<String> sources, String name, String classPath) throws IOException {
    Path sourceFolder = Files.createDirectories(folder.resolve(name + "-sources"));
    Path classes = Files.createDirectories(folder.resolve(name));
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-d", classes.toString(), "-cp", classPath));
    for (String source : sources) {
      String type = source.replaceAll("(?s).*?\\b(?:class|record|interface)\\s+(\\w+).*", "$1");
      Path file = sourceFolder.resolve(source.contains("ffm.internal") ? "internal" : "x").resolve(type + ".java");
      Files.createDirectories(file.getParent());
      arguments.add(Files.writeString(file, source).toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertTrue(compiler.run(null, null, null, arguments.toArray(new String[0])) == 0, "the test's sources compile");
    return classes;
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      files.filter(Files::isRegularFile).forEach(its -> {
        try {
          packed.putNextEntry(new JarEntry(classes.relativize(its).toString()));
          Files.copy(its, packed);
          packed.closeEntry();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
  }
}
