/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import clojure.java.api.Clojure;
import clojure.lang.IFn;

/** A document database whose three stores use RocksDB: transactions, queries, and a restart from a checkpoint. */
final class Xtdb {
  private Xtdb() {}

  public static void main(String[] arguments) {
    IFn require = Clojure.var("clojure.core", "require");
    require.invoke(Clojure.read("xtdb.api"));
    require.invoke(Clojure.read("xtdb.rocksdb"));
    IFn evaluate = Clojure.var("clojure.core", "load-string");
    evaluate.invoke(PROGRAM);
    System.exit(0); // Clojure's thread pools are never shut down
  }

  private static final String PROGRAM =
      """
      (require '[xtdb.api :as xt] '[clojure.java.io :as io])
      (defn store [name] {:xtdb/module 'xtdb.rocksdb/->kv-store :db-dir (io/file name)})
      (defn open []
        (xt/start-node {:xtdb/tx-log {:kv-store (store "log")}
                        :xtdb/document-store {:kv-store (store "documents")}
                        :xtdb/index-store {:kv-store (store "index")}}))
      (defn say [step & found] (println (str "answer: " step ": " (pr-str found))))
      (defn read-all [step node]
        (let [db (xt/db node)]
          (say step
               (count (xt/q db '{:find [e] :where [[e :kind :even]]}))
               (sort (map first (xt/q db '{:find [n] :where [[e :number n] [e :kind :odd] [(< n 40)]]})))
               (hash (sort-by :xt/id (map first (xt/q db '{:find [(pull e [*])] :where [[e :number]]}))))
               (xt/entity db 7)
               (count (xt/entity-history db 8 :asc)))))
      (defn document [n] {:xt/id n :number n :kind (if (even? n) :even :odd) :text (str "text " n)})
      (with-open [node (open)]
        (doseq [part (partition-all 100 (range 1000))]
          (xt/submit-tx node (mapv (fn [n] [::xt/put (document n)]) part)))
        (xt/sync node)
        (read-all "filled" node)
        (xt/submit-tx node (mapv (fn [n] [::xt/delete n]) (range 0 1000 3)))
        (xt/submit-tx node [[::xt/put (assoc (document 8) :text "changed")] [::xt/evict 7]])
        (xt/sync node)
        (read-all "deleted" node))
      (with-open [node (open)]
        (xt/sync node)
        (read-all "reopened" node)
        (say "attributes" (sort-by str (xt/attribute-stats node))))
      """;
}
