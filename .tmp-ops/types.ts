import type { Endpoints } from "../src/client/internal/endpoints.js"
declare const e: Endpoints
const g = e.group("glossaries").call("get", "always", (id: string) => ({ path: { glossaryId: id } }))
export const x: import("effect/Effect").Effect<{ readonly name: string }, unknown> = g("a")
// @ts-expect-error
e.group("glossaries").call("get", "always", (id: string) => ({ path: { id } }))
// @ts-expect-error
e.group("glossaries").call("gett", "always", () => ({}))
// @ts-expect-error
export const y: import("effect/Effect").Effect<{ readonly nope: string }, unknown> = g("a")
