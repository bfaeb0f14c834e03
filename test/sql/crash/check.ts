/** What must hold of a job that was killed: the same for all stores. */
import { readdirSync } from "node:fs"
import { NodeContext } from "@effect/platform-node"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslationStore } from "effect-translate"
import { expect } from "vitest"
import { languages, type Prepared, pause } from "./kills.js"
import type { Stores } from "./stores.js"

/** Most requests in flight at once, of three streams, and as many that were answered and have a text that is asked for again. */
const mostInFlight = 2 * 3 * 8

/** The requests that a store remembers. */
export const ledgerOf = ({ layer }: Stores, store: string) =>
  Stream.unwrap(Effect.map(TranslationStore.TranslationStore, ({ attempts }) => attempts)).pipe(
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.provide(layer(store)),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

export const isInDoubt = ({ state }: TranslationStore.Attempt) => state === "unknown" || state === "expired"

export const charactersOf = (attempts: ReadonlyArray<TranslationStore.Attempt>) =>
  attempts.reduce((sum, { characters }) => sum + characters, 0)

/** What the service bills for a job that nothing disturbs, and its outputs. */
interface Undisturbed {
  readonly characters: number
  readonly requests: number
  readonly outputs: ReadonlyArray<string>
}

const runUndisturbed = async (prepared: Prepared, { named }: Stores, texts: number): Promise<Undisturbed> => {
  const { finish, makeJob, meter, outputs } = prepared
  const start = await meter()
  const home = makeJob(texts)
  await finish(home, await named(prepared))
  const end = await meter()
  return {
    characters: end.characters - start.characters,
    requests: end.requests - start.requests,
    outputs: outputs(home)
  }
}

/** All jobs of so many texts are alike, whatever store they have. */
const known = new Map<string, Promise<Undisturbed>>()

const undisturbedOf = (prepared: Prepared, stores: Stores, texts: number): Promise<Undisturbed> => {
  const name = `${prepared.folder} ${texts}`
  const undisturbed = known.get(name) ?? runUndisturbed(prepared, stores, texts)
  known.set(name, undisturbed)
  return undisturbed
}

/** Runs a job of which processes are disturbed, and tells what was billed beyond an undisturbed one, and what is in doubt. */
export const disturb = async (
  prepared: Prepared,
  stores: Stores,
  texts: number,
  run: (home: string, store: string, undisturbed: Undisturbed) => Promise<string>
) => {
  const { finish, makeJob, meter, outputs, remaining } = prepared
  const undisturbed = await undisturbedOf(prepared, stores, texts)
  const home = makeJob(texts)
  const store = await stores.named(prepared)
  const start = await meter()
  const what = await run(home, store, undisturbed)
  const end = await meter()

  expect(outputs(home), what).toEqual(undisturbed.outputs)
  expect(readdirSync(`${home}/out`).sort()).toEqual(languages.map((language) => `texts.${language}.csv`))
  expect(remaining(home)).toEqual([])
  await finish(home, store)
  expect((await meter()).characters, "a rerun after success").toBe(end.characters)

  const doubts = (await ledgerOf(stores, store)).filter(isInDoubt)
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
}

export const ofTwoProcesses = async (prepared: Prepared, stores: Stores, texts: number): Promise<void> => {
  const { doubts, excess } = await disturb(prepared, stores, texts, async (home, store) => {
    await Promise.all([prepared.finish(home, store), prepared.finish(home, store)])
    return "two processes"
  })
  expect({ doubts, excess }).toEqual({ doubts: [], excess: 0 })
}

/** Milliseconds: longer than the lease of an impatient process, and than its requests of 50 texts may take. */
const frozenFor = 8000

const freeze = (prepared: Prepared, stores: Stores, texts: number, others: Prepared["finish"]) =>
  disturb(prepared, stores, texts, (home, store, { requests }) =>
    prepared.freeze(home, store, requests / 2, () => Promise.all([others(home, store), pause(frozenFor)]), {
      isImpatient: true
    })
  )

/** In doubt is what is sent over a connection that the service has closed meanwhile. It is not billed. */
export const afterFreeze = async (prepared: Prepared, stores: Stores, texts: number): Promise<void> => {
  const { excess } = await freeze(prepared, stores, texts, async () => {})
  expect(excess).toBe(0)
}

export const ofSecondProcess = async (prepared: Prepared, stores: Stores, texts: number): Promise<void> => {
  const { doubts, excess } = await freeze(prepared, stores, texts, prepared.finish)
  expect(excess).toBeGreaterThanOrEqual(0)
  expect(excess).toBeLessThanOrEqual(charactersOf(doubts))
  expect(doubts.length).toBeGreaterThan(0)
}
