import * as Effect from "effect/Effect"
import { Cluster } from "effect-translate/workflow"
import { postgres } from "../support/postgres.js"
import { purgedSuite } from "./purged.js"

purgedSuite("a libsql file", Effect.succeed(undefined))

purgedSuite(
  "PostgreSQL",
  Effect.map(
    Effect.flatMap(postgres, ({ database }) => database),
    (url) => Cluster.layerPg({ url })
  )
)
