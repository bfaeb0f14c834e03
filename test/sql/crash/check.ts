/** What must hold of a job that was killed: the same for all stores. */
import { readdirSync } from "node:fs"
import { NodeContext } from "@effect/platform-node"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TranslationStore } from "effect-translate"
import { expect } from "vitest"
import { languages, type Prepared } from "./kills.js"

/** Most requests in flight at once: those of three streams. */
const mostInFlight = 3 * 8

interface Stores {
  /** How the program names a store. */
  readonly named: (name: string) => Promise<string>
  /** The same store in this process. */
  readonly layer: (
    address: string
  ) => Layer.Layer<TranslationStore.TranslationStore, unknown, NodeContext.NodeContext>
}

const inDoubt = Stream.unwrap(Effect.map(TranslationStore.TranslationStore, ({ attempts }) => attempts)).pipe(
  Stream.filter(({ state }) => state === "unknown" || state === "expired"),
  Stream.runCollect,
  Effect.map(Chunk.toReadonlyArray)
)

export const check = async (
  { finish, kill, makeJob, meter, outputs, remaining }: Prepared,
  { layer, named }: Stores,
  { kills, texts }: { readonly kills: number; readonly texts: number }
): Promise<void> => {
  const start = await meter()
  const undisturbed = makeJob("undisturbed", texts)
  await finish(undisturbed, await named("undisturbed"))
  const whole = await meter()

  const killed = makeJob("killed", texts)
  const store = await named("killed")
  const moments = await kill(killed, store, kills, whole.requests - start.requests)
  const end = await meter()

  const killedAfter = `killed after ${moments.join(", ")}`
  expect(outputs(killed), killedAfter).toEqual(outputs(undisturbed))
  expect(readdirSync(`${killed}/out`).sort()).toEqual(languages.map((language) => `texts.${language}.csv`))
  expect(remaining(killed)).toEqual([])

  const excess = end.characters - whole.characters - (whole.characters - start.characters)
  const doubts = await Effect.runPromise(
    inDoubt.pipe(Effect.provide(layer(store)), Effect.provide(NodeContext.layer))
  )
  const doubted = doubts.reduce((sum, { characters }) => sum + characters, 0)
  expect(excess, killedAfter).toBeGreaterThanOrEqual(0)
  expect(excess, killedAfter).toBeLessThanOrEqual(doubted)
  expect(doubts.length, killedAfter).toBeLessThanOrEqual(kills * mostInFlight)
  expect(doubts.length, killedAfter).toBeGreaterThan(0)

  await finish(killed, store)
  expect((await meter()).characters, "a rerun after success").toBe(end.characters)
}
