/** Hands the options of one floor on to the next one without those that are its own: below, options are checked strictly by their names. */
import * as Struct from "effect/Struct"

/** Leaves options out. A module with options of its own gives their names as a type, so that a missing or a wrong one does not compile. */
export const without = <Own extends string>(
  own: Readonly<Record<Own, unknown>>
): (<O extends object>(options: O) => Omit<O, Own>) => {
  const names = Object.keys(own) as Array<Own>
  return <O extends object>(options: O) =>
    Struct.omit(options as O & Record<Own, unknown>, ...names) as Omit<O, Own>
}
