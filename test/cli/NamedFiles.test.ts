import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { write } from "../../src/cli/namedFiles.js"
import { draftFor } from "../../src/internal/files.js"

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
})
