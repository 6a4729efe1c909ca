/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.io.IOException;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Raises the class file version of old classes in a jar, and computes the stack maps that the new version requires,
 * because the JDK's AOT cache rejects classes from before Java 6.
 *
 * <p>Usage: {@code java -cp JAR LiftClasses.java JAR}.
 */
final class LiftClasses {
  private static final int OLDEST = ClassFile.JAVA_6_VERSION;
  private static final int NEW = ClassFile.JAVA_17_VERSION;

  private LiftClasses() {}

  public static void main(String[] arguments) throws IOException {
    URI jar = URI.create("jar:" + Path.of(arguments[0]).toUri());
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
        Stream<Path> all = Files.walk(files.getPath("/"))) {
      List<Path> classes = all.filter(file -> file.toString().endsWith(".class")).toList();
      for (Path each : classes) {
        byte[] bytes = Files.readAllBytes(each);
        if (bytes.length > 7 && bytes[7] < OLDEST) {
          Files.write(each, lifted(bytes));
        }
      }
    }
  }

  private static byte[] lifted(byte[] bytes) {
    ClassFile format = ClassFile.of(
        ClassFile.StackMapsOption.GENERATE_STACK_MAPS, ClassFile.ConstantPoolSharingOption.NEW_POOL);
    ClassModel old = format.parse(bytes);
    ClassTransform version = (builder, element) -> {
      ClassElement lifted = element instanceof ClassFileVersion ? ClassFileVersion.of(NEW, 0) : element;
      builder.with(lifted);
    };
    return format.transformClass(old,
        ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(version));
  }
}
