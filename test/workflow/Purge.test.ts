import * as Effect from "effect/Effect"
import { purgedSuite } from "./purged.js"

purgedSuite("a libsql file", Effect.succeed(undefined))
