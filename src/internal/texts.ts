import * as Predicate from "effect/Predicate"

/** Whether a value is an array of strings. Unlike `every`, `findIndex` visits holes, which JSON would turn into null. */
export const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.findIndex((text) => !Predicate.isString(text)) === -1

/** Whether a text is empty or only whitespace. */
export const isBlank = (text: string): boolean => text.trim() === ""
