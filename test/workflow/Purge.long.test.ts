import * as Effect from "effect/Effect"
import { PgCluster } from "effect-translate/workflow/postgres"
import { postgres } from "../support/postgres.js"
import { purgedSuite } from "./purged.js"

purgedSuite("a libsql file", Effect.succeed(undefined))

purgedSuite(
  "PostgreSQL",
  Effect.map(
    Effect.flatMap(postgres, ({ database }) => database),
    (url) => PgCluster.layer({ url })
  )
)
