/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate, created by keytool, for measurements and tests on the loopback interface. */
public final class Certificate {
  private static final String PASSWORD = "changeit"; // the password of a temporary file

  public final Path certificate;
  public final Path key;
  private final KeyStore store;

  public Certificate(Path folder) throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost", "-storetype", "PKCS12",
                "-ext", "san=ip:127.0.0.1", "-keystore", file.toString(), "-storepass", PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
    store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    certificate = pem(folder.resolve("cert.pem"), "CERTIFICATE", store.getCertificate("server").getEncoded());
    key = pem(folder.resolve("key.pem"), "PRIVATE KEY", store.getKey("server", PASSWORD.toCharArray()).getEncoded());
  }

  private static Path pem(Path file, String type, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
  }

  public SSLSocketFactory clients() throws Exception {
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return context.getSocketFactory();
  }
}
