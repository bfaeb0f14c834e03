/** Files that a command line names; `-` stands for standard input and output. */
import { createWriteStream, fstatSync, statSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as files from "../internal/files.js"
import { reasonOf } from "../internal/systemCauses.js"
import { Incomplete, Usage, usage } from "./failure.js"

/** Standard input or output. */
export const standard = "-"

/** The name of a file that is read or written, for people. */
export const nameOf = (file: string, stream: "input" | "output" = "output"): string =>
  file === standard ? `standard ${stream}` : file

/** True if a path is a folder that exists. */
export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The error of a file that can't be read. */
export const unreadable = (file: string) => (error: unknown) =>
  usage(`${nameOf(file, "input")} can't be read: ${reasonOf(error)}.`)

/** The error of a file that can't be written: the same again may do it once there is room. */
export const unwritable = (file: string) => (error: unknown) => {
  const message = `${nameOf(file)} can't be written: ${reasonOf(error)}.`
  return files.isFull(error) ? new Incomplete({ message }) : new Usage({ message })
}

/** Node reads nothing from a folder, and says nothing of it. */
const isFolderThere = Effect.sync(() => fstatSync(0).isDirectory())

/** Standard input. */
export const standardInput: Stream.Stream<Uint8Array, Usage> = Stream.unwrap(
  Effect.map(isFolderThere, (isThere) =>
    isThere
      ? Stream.fail(unreadable(standard)({ code: "EISDIR" }))
      : NodeStream.fromReadable(() => process.stdin, unreadable(standard))
  )
)

/** The bytes of a file. */
export const read = (file: string): Stream.Stream<Uint8Array, Usage, FileSystem.FileSystem> =>
  file === standard
    ? standardInput
    : Stream.unwrap(
        Effect.map(FileSystem.FileSystem, (fs) => Stream.mapError(files.read(fs, file), unreadable(file)))
      )

/** A whole file. */
export const readText = (file: string): Effect.Effect<string, Usage, FileSystem.FileSystem> =>
  read(file).pipe(Stream.decodeText(), Stream.mkString)

/** Writes under another name first, so that nobody sees half a file. A pipe, or another place that is no file, is written as it is. */
const writeFile = <E, R>(file: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const known = yield* Effect.option(fs.stat(file))
    if (Option.isSome(known) && known.value.type !== "File") {
      return yield* Stream.run(
        bytes,
        NodeSink.fromWritable(() => createWriteStream(file), unwritable(file))
      )
    }
    const target = yield* Effect.orElseSucceed(fs.realPath(file), () => file)
    yield* files.replace(target, bytes, unwritable(file))
  })

/** Writes a file, which has its name only when it is whole. */
export const write = <E, R>(
  file: string,
  bytes: Stream.Stream<Uint8Array, E, R>
): Effect.Effect<void, E | Incomplete | Usage, R | FileSystem.FileSystem | Path.Path> =>
  file === standard
    ? Stream.run(
        bytes,
        NodeSink.fromWritable(() => process.stdout, unwritable(file), { endOnDone: false })
      )
    : writeFile(file, bytes)

/** Makes a folder, and those above it. */
export const makeFolder = (
  folder: string
): Effect.Effect<void, Incomplete | Usage, FileSystem.FileSystem | Path.Path> =>
  Effect.mapError(files.makeFolder(folder), unwritable(folder))
