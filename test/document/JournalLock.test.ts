/** One process at a time has a journal: locks that others have left. */
import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import { DocumentJournal } from "effect-translate/documents"

/** The lock of a process that can't be seen from here, as of another container. */
const elsewhere = `\n${JSON.stringify({
  id: "1",
  after: null,
  process: { machine: "another", pid: 1, startedAt: "1" }
})}\n`

const journal = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return `${yield* fs.makeTempDirectoryScoped()}/journal.jsonl`
})

const open = (path: string) => Effect.either(Effect.scoped(DocumentJournal.makeFile(path)))

describe("a lock of a process that can't be seen", () => {
  it.virtual("is taken over after 20 seconds without a sign of it", () =>
    Effect.gen(function* () {
      const path = yield* journal
      writeFileSync(`${path}.lock`, elsewhere)
      const opening = yield* Effect.fork(open(path))
      yield* Effect.sleep("19 seconds")
      expect(opening.unsafePoll()).toBe(null)
      expect(Either.isRight(yield* Fiber.join(opening))).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.virtual("is respected if it is touched meanwhile", () =>
    Effect.gen(function* () {
      const path = yield* journal
      writeFileSync(`${path}.lock`, elsewhere)
      const opening = yield* Effect.fork(open(path))
      for (let second = 0; opening.unsafePoll() === null; second++) {
        utimesSync(`${path}.lock`, second, second)
        yield* Effect.sleep("1 second")
      }
      expect(yield* Fiber.join(opening)).toMatchObject(
        Either.left({ message: expect.stringMatching(/in use by process 1/) })
      )
      expect(readFileSync(`${path}.lock`, "utf8")).toBe(elsewhere)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.virtual("is touched by this process every 2 seconds", () =>
    Effect.gen(function* () {
      const path = yield* journal
      yield* DocumentJournal.makeFile(path)
      const touched = new Set<number>()
      for (let second = 0; second < 6; second++) {
        touched.add(statSync(`${path}.lock`).mtimeMs)
        yield* Effect.sleep("1 second")
      }
      expect(touched.size).toBe(3)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  const lockFile = (path: string) =>
    Effect.scoped(
      Effect.map(DocumentJournal.makeFile(path), () => JSON.parse(readFileSync(`${path}.lock`, "utf8")))
    )

  it.virtual("is taken over at once if its number belongs to another process by now", () =>
    Effect.gen(function* () {
      const path = yield* journal
      const lock = yield* lockFile(path)
      writeFileSync(`${path}.lock`, JSON.stringify(lock))
      expect(Either.isLeft(yield* open(path))).toBe(true)
      lock.process.startedAt = "1"
      writeFileSync(`${path}.lock`, JSON.stringify(lock))
      expect(Either.isRight(yield* open(path))).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.virtual("is that of the file which a link leads to, also before there is one", () =>
    Effect.gen(function* () {
      const path = yield* journal
      symlinkSync(path, `${path}.link`)
      yield* DocumentJournal.makeFile(`${path}.link`)
      expect(yield* open(path)).toMatchObject(
        Either.left({ message: expect.stringMatching(/in use by process/) })
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.virtual("that a crash has cut holds nobody", () =>
    Effect.gen(function* () {
      const path = yield* journal
      writeFileSync(`${path}.lock`, `\n{"id":"cut by a cr`)
      expect(Either.isRight(yield* open(path))).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.virtual("that is a file of somebody else is left alone", () =>
    Effect.gen(function* () {
      const path = yield* journal
      writeFileSync(`${path}.lock`, "mine")
      expect(yield* open(path)).toMatchObject(
        Either.left({ message: expect.stringMatching(/in use by another process.*remove/) })
      )
      expect(readFileSync(`${path}.lock`, "utf8")).toBe("mine")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
