/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the module descriptor into the folder of a jar's classes, for jars whose descriptor is not compiled by javac:
 * {@code ModuleDescriptor <folder> <module> <directive>...}. A directive is {@code requires <module>},
 * {@code requires-transitive <module>}, {@code requires-static <module>}, {@code exports <package>},
 * {@code uses <service>}, {@code provides <service> <class>}, or {@code natives} for a native jar, which gets a
 * provider of the core's service, so that it is resolved with the core.
 */
final class ModuleDescriptor {
  /** The version of descriptors, because Maven reads them when it creates jars, and may run on JDK 17. */
  private static final int JAVA_17 = 61;

  private static final String CORE = "org.rocksdbffm";
  private static final ClassDesc SERVICE = ClassDesc.of("org.rocksdbffm.internal.loader.NativeModule");

  private final Path folder;
  private final String name;

  private ModuleDescriptor(Path folder, String name) {
    this.folder = folder;
    this.name = name;
  }

  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    new ModuleDescriptor(Path.of(words.get(0)), words.get(1)).write(words.subList(2, words.size()));
  }

  private void write(List<String> directives) throws IOException {
    ModuleAttribute module =
        ModuleAttribute.of(
            ModuleDesc.of(name),
            builder -> {
              builder.requires(ModuleDesc.of("java.base"), List.of(AccessFlag.MANDATED), null);
              directives.forEach(directive -> add(builder, directive.split(" ")));
            });
    writeIfOther(
        folder.resolve("module-info.class"),
        ClassFile.of().buildModule(module, builder -> builder.withVersion(JAVA_17, 0)));
    if (directives.contains("natives")) {
      writeProvider();
    }
  }

  private void add(ModuleAttribute.ModuleAttributeBuilder builder, String[] directive) {
    switch (directive[0]) {
      case "requires" -> builder.requires(ModuleDesc.of(directive[1]), List.of(), null);
      case "requires-transitive" ->
          builder.requires(ModuleDesc.of(directive[1]), List.of(AccessFlag.TRANSITIVE), null);
      case "requires-static" -> builder.requires(ModuleDesc.of(directive[1]), List.of(AccessFlag.STATIC_PHASE), null);
      case "uses" -> builder.uses(ClassDesc.of(directive[1]));
      case "provides" -> builder.provides(ClassDesc.of(directive[1]), ClassDesc.of(directive[2]));
      case "exports" -> builder.exports(PackageDesc.of(directive[1]), List.of());
      case "natives" -> {
        builder.requires(ModuleDesc.of(CORE), List.of(), null);
        builder.provides(SERVICE, provider());
      }
      default -> throw new IllegalArgumentException("no directive: " + String.join(" ", directive));
    }
  }

  /** Returns the provider, in a separate package for each platform, because modules cannot share packages. */
  private ClassDesc provider() {
    return ClassDesc.of(name, "Libraries");
  }

  private void writeProvider() throws IOException {
    byte[] provider =
        ClassFile.of()
            .build(
                provider(),
                type ->
                    type.withVersion(JAVA_17, 0)
                        .withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER)
                        .withInterfaceSymbols(SERVICE)
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(
                                        ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                    .return_()));
    Path file = folder.resolve(name.replace('.', '/')).resolve("Libraries.class");
    Files.createDirectories(file.getParent());
    writeIfOther(file, provider);
  }

  /** Writes a file only if it changes, so that an unchanged build does not change the jar. */
  private static void writeIfOther(Path file, byte[] content) throws IOException {
    if (Files.notExists(file) || !Arrays.equals(content, Files.readAllBytes(file))) {
      Files.write(file, content);
    }
  }
}
