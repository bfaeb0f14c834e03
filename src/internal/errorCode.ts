import * as Predicate from "effect/Predicate"

/** What the system calls a failure, such as `ENOENT`: the code of an error, or else of what has caused it. */
export const errorCode = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code)
    ? error.code
    : Predicate.hasProperty(error, "cause")
      ? errorCode(error.cause)
      : undefined
