import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * `withTransaction` of `@effect/sql` dies of a COMMIT or a ROLLBACK that fails, as on a full disk or a lost connection. Here it
 * fails with their `SqlError`.
 */
export const withoutDefects =
  (withTransaction: SqlClient["withTransaction"]): SqlClient["withTransaction"] =>
  (self) =>
    Effect.catchSomeDefect(withTransaction(self), (defect) =>
      defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
    )
