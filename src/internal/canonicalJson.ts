import * as Predicate from "effect/Predicate"

const sorted = (_key: string, value: unknown): unknown =>
  Predicate.isReadonlyRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** JSON with sorted keys: the same for values that are equal. A key of `undefined` is no key. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted)
