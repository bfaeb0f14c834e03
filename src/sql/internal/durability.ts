import * as Context from "effect/Context"

/**
 * The events that a committed transaction on a file survives. A store asks for it whichever database it has; PostgreSQL
 * has settings of its own.
 */
export class Durability extends Context.Reference<Durability>()("effect-translate/sql/Durability", {
  defaultValue: (): "kill" | "power-loss" => "kill"
}) {}
