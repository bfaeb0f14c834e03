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

/** Most requests in flight at once, of three streams, and as many that were answered and have a text that is asked for again. */
const mostInFlight = 2 * 3 * 8

interface Stores {
  /** A new store, as the program names it. */
  readonly named: () => Promise<string>
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

const charactersOf = (attempts: ReadonlyArray<TranslationStore.Attempt>) =>
  attempts.reduce((sum, { characters }) => sum + characters, 0)

/** What the service bills for a job that nothing disturbs, and its outputs. */
interface Undisturbed {
  readonly characters: number
  readonly requests: number
  readonly outputs: ReadonlyArray<string>
}

const runUndisturbed = async (
  { finish, makeJob, meter, outputs }: Prepared,
  { named }: Stores,
  texts: number
): Promise<Undisturbed> => {
  const start = await meter()
  const home = makeJob(texts)
  await finish(home, await named())
  const end = await meter()
  return {
    characters: end.characters - start.characters,
    requests: end.requests - start.requests,
    outputs: outputs(home)
  }
}

/** Runs a job of which processes are disturbed, and tells what was billed beyond an undisturbed one, and what is in doubt. */
const disturb = async (
  prepared: Prepared,
  { layer, named }: Stores,
  texts: number,
  run: (home: string, store: string, undisturbed: Undisturbed) => Promise<string>
) => {
  const { finish, makeJob, meter, outputs, remaining } = prepared
  const undisturbed = await runUndisturbed(prepared, { layer, named }, texts)
  const home = makeJob(texts)
  const store = await named()
  const start = await meter()
  const what = await run(home, store, undisturbed)
  const end = await meter()

  expect(outputs(home), what).toEqual(undisturbed.outputs)
  expect(readdirSync(`${home}/out`).sort()).toEqual(languages.map((language) => `texts.${language}.csv`))
  expect(remaining(home)).toEqual([])
  await finish(home, store)
  expect((await meter()).characters, "a rerun after success").toBe(end.characters)

  const doubts = await Effect.runPromise(
    inDoubt.pipe(Effect.provide(layer(store)), Effect.provide(NodeContext.layer))
  )
  return { what, doubts, excess: end.characters - start.characters - undisturbed.characters }
}

export const afterKills = async (
  prepared: Prepared,
  stores: Stores,
  { kills, texts }: { readonly kills: number; readonly texts: number }
): Promise<void> => {
  const { doubts, excess, what } = await disturb(prepared, stores, texts, (home, store, { requests }) =>
    prepared.kill(home, store, kills, requests)
  )
  expect(excess, what).toBeGreaterThanOrEqual(0)
  expect(excess, what).toBeLessThanOrEqual(charactersOf(doubts))
  expect(doubts.length, what).toBeLessThanOrEqual(kills * mostInFlight)
  expect(doubts.length, what).toBeGreaterThan(0)
}

export const ofTwoProcesses = async (prepared: Prepared, stores: Stores, texts: number): Promise<void> => {
  const { doubts, excess } = await disturb(prepared, stores, texts, async (home, store) => {
    await Promise.all([prepared.finish(home, store), prepared.finish(home, store)])
    return "two processes"
  })
  expect({ doubts, excess }).toEqual({ doubts: [], excess: 0 })
}

export const afterStop = async (prepared: Prepared, stores: Stores, texts: number): Promise<void> => {
  const { doubts, excess } = await disturb(prepared, stores, texts, (home, store, { requests }) =>
    prepared.stop(home, store, requests / 2)
  )
  expect(excess).toBeGreaterThanOrEqual(0)
  expect(excess).toBeLessThanOrEqual(charactersOf(doubts))
  expect(doubts.length).toBeGreaterThan(0)
}
