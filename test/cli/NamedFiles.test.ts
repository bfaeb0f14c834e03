import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { unwritable, write } from "../../src/cli/namedFiles.js"
import { draftFor, makeFolder } from "../../src/internal/files.js"

const folderOf = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(`${tmpdir()}/named-files-`)),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("a file that a command line names", () => {
  it.scoped("is written beside the draft of a process that was killed, which is removed", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf
      const output = `${folder}/all.tmx`
      const own = yield* draftFor(output)
      writeFileSync(own, "half of a file of this process")
      const ended = spawnSync("true").pid
      writeFileSync(own.replace(`-${process.pid}-`, `-${ended}-`), "half of a file")
      expect(readdirSync(folder)).toHaveLength(2)
      yield* write(output, Stream.make(new TextEncoder().encode("whole")))
      expect(readdirSync(folder).sort()).toEqual([basename(own), "all.tmx"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it("that can't be written is wrong usage, unless its disk is full", () => {
    expect(unwritable("a.json")({ code: "EROFS" })).toMatchObject({
      _tag: "Usage",
      message: "a.json can't be written: its file system can only be read."
    })
    expect(unwritable("a.json")({ code: "ENOSPC" })).toMatchObject({
      _tag: "Incomplete",
      message: "a.json can't be written: its disk is full."
    })
  })
})

describe("a folder", () => {
  it.scoped("is made with those above it, also by several at once", () =>
    Effect.gen(function* () {
      const folder = `${yield* folderOf}/a/b/c`
      yield* Effect.replicateEffect(makeFolder(folder), 8, { concurrency: "unbounded" })
      yield* makeFolder(folder)
      expect(statSync(folder).isDirectory()).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is not made where a file is", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf
      writeFileSync(`${folder}/a`, "")
      for (const name of ["a", "a/b", "a/b/c"]) {
        expect((yield* Effect.flip(makeFolder(`${folder}/${name}`)))._tag).toBe("SystemError")
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.skipIf(process.platform !== "linux")("is not made, and ends, where the system takes none", () =>
    Effect.gen(function* () {
      for (const folder of ["/proc/none", "/proc/none/below"]) {
        expect(yield* Effect.flip(makeFolder(folder))).toMatchObject({ reason: "NotFound" })
      }
    }).pipe(Effect.provide(NodeContext.layer), Effect.runPromise)
  )
})
