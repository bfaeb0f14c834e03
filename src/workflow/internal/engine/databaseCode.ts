import { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"

/** The engine wraps errors of the database in its own. */
const findSqlError = (value: unknown): Option.Option<SqlError> => {
  if (value instanceof SqlError) return Option.some(value)
  return Predicate.hasProperty(value, "cause") ? findSqlError(value.cause) : Option.none()
}

const found = (value: unknown): Option.Option<string> =>
  Option.map(findSqlError(value), SqlErrorCode.orDisconnected)

/** The code of the database, if it is the cause. */
export const ofCause = (cause: Cause.Cause<unknown>): Option.Option<string> =>
  Chunk.findFirst(
    Chunk.map(Chunk.appendAll(Cause.failures(cause), Cause.defects(cause)), found),
    Option.isSome
  ).pipe(Option.flatten)
