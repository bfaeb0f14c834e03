/** What must hold of jobs whose processes are disturbed, on all stores. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { PgTranslationStore } from "effect-translate/postgres"
import { afterAll, beforeAll, describe, it } from "vitest"
import { postgres } from "../support/postgres.js"
import * as check from "./crash/check.js"
import { type Prepared, prepare } from "./crash/kills.js"

const texts = 20_000

const kills = 10

let prepared: Prepared | undefined

beforeAll(async () => {
  prepared = await prepare()
})

afterAll(() => prepared?.remove())

const stores = {
  "a libsql file": {
    named: async () => `${prepared!.folder}/${randomUUID()}.db`,
    layer: (file: string) => LibsqlTranslationStore.layer({ file })
  },
  PostgreSQL: {
    named: () =>
      Effect.runPromise(
        Effect.map(
          Effect.flatMap(postgres, ({ database }) => database),
          Redacted.value
        )
      ),
    layer: (url: string) => PgTranslationStore.layer({ url: Redacted.make(url) })
  }
}

describe.each(["a libsql file", "PostgreSQL"] as const)(
  `a job of ${texts} texts into three languages, with %s`,
  (name) => {
    const timeout = 600_000

    it(
      `that is killed ${kills} times ends with the outputs of an undisturbed one, pays twice for what the ledger names at most, and bills nothing when it is run again`,
      { timeout },
      () => check.afterKills(prepared!, stores[name], { kills, texts })
    )

    it("that two processes run at once is billed once, and both end well", { timeout }, () =>
      check.ofTwoProcesses(prepared!, stores[name], texts)
    )

    it(
      "one process of which is stopped past its lease ends with right outputs, and what was paid twice is in the ledger",
      { timeout },
      () => check.afterStop(prepared!, stores[name], texts)
    )
  }
)
