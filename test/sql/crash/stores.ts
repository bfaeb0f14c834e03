/** The stores of these jobs. */
import { randomUUID } from "node:crypto"
import type { NodeContext } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { TranslationStore } from "effect-translate"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { PgTranslationStore } from "effect-translate/postgres"
import { postgres } from "../../support/postgres.js"
import type { Prepared } from "./kills.js"

export interface Stores {
  readonly name: string
  /** A new store, as the program names it. */
  readonly named: (prepared: Pick<Prepared, "folder">) => Promise<string>
  /** The same store in this process. */
  readonly layer: (
    address: string
  ) => Layer.Layer<TranslationStore.TranslationStore, unknown, NodeContext.NodeContext>
}

export const file: Stores = {
  name: "a libsql file",
  named: async ({ folder }) => `${folder}/${randomUUID()}.db`,
  layer: (file) => LibsqlTranslationStore.layer({ file })
}

export const server: Stores = {
  name: "PostgreSQL",
  named: () =>
    Effect.runPromise(
      Effect.map(
        Effect.flatMap(postgres, ({ database }) => database),
        Redacted.value
      )
    ),
  layer: (url) => PgTranslationStore.layer({ url: Redacted.make(url) })
}

export const stores: ReadonlyArray<Stores> = [file, server]
