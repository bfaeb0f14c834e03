/** The crash test on all stores, in the size of `npm test` or of `npm run test:long`. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlTranslationStore } from "effect-translate/sql"
import { afterAll, beforeAll, describe, it } from "vitest"
import { postgres } from "../../support/postgres.js"
import { check } from "./check.js"
import { type Prepared, prepare } from "./kills.js"

interface Size {
  readonly texts: number
  readonly kills: number
  /** Whether the store in PostgreSQL is tested too. @default true */
  readonly postgres?: boolean
}

export const suite = (size: Size) => {
  let prepared: Prepared | undefined

  beforeAll(async () => {
    prepared = await prepare()
  })

  afterAll(() => prepared?.remove())

  const promise = `ends with the outputs of an undisturbed run, pays twice for what the ledger names at most, and bills nothing when it is run again`

  describe(`a job of ${size.texts} texts into three languages, killed ${size.kills} times`, () => {
    it(`${promise}, with a libsql file`, { timeout: 600_000 }, () =>
      check(
        prepared!,
        {
          named: (name) => Promise.resolve(`${prepared!.folder}/${name}.db`),
          layer: (file) => SqlTranslationStore.layerLibsql({ file })
        },
        size
      )
    )

    if (size.postgres === false) return

    it(`${promise}, with PostgreSQL`, { timeout: 600_000 }, () =>
      check(
        prepared!,
        {
          named: () =>
            Effect.runPromise(
              Effect.map(
                Effect.flatMap(postgres, ({ database }) => database),
                Redacted.value
              )
            ),
          layer: (url) => SqlTranslationStore.layerPg({ url: Redacted.make(url) })
        },
        size
      )
    )
  })
}
