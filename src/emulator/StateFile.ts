/**
 * A file that keeps the accounts of an emulator from one run to the next: keys with their limits and usage, glossaries,
 * style rules and translation memories.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Violation from "../api/Violation.js"
import { reasonOf } from "../internal/systemCauses.js"
import { is, TaggedError } from "../internal/taggedError.js"
import { Snapshot } from "./internal/snapshot.js"

/**
 * The file holds no state of an emulator, or can't be read or written. A file that holds something else is left as it is.
 *
 * @since 0.1.0
 * @category errors
 */
export class StateFileError extends TaggedError<StateFileError>()(
  "StateFileError",
  {
    /** The path of the file. */
    file: Schema.String,
    /** The cause, and advice. */
    reason: Schema.String
  },
  ({ file, reason }) => `${file} ${reason}`
) {}

/**
 * Returns `true` for a {@link StateFileError}.
 *
 * @since 0.1.0
 * @category guards
 */
export const isStateFileError = is(StateFileError)

/**
 * An opened file: give it to an emulator as the option `state`. One emulator at a time may have it.
 *
 * @since 0.1.0
 * @category models
 */
export interface StateFile {
  /** The content of the file when it was opened; `undefined` if there was none. */
  readonly restored: Snapshot | undefined
  /** Replaces the content of the file, whole or not at all. */
  readonly save: (snapshot: Snapshot) => Effect.Effect<void, StateFileError>
}

const noState = (file: string, why: string) =>
  new StateFileError({
    file,
    reason: `is no state of an emulator (${why}): name another file, or a new one`
  })

const decode = (file: string, text: string): Effect.Effect<Snapshot, StateFileError> =>
  Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => noState(file, "it is no JSON") }).pipe(
    Effect.flatMap((value) =>
      Effect.mapError(ParseResult.decodeUnknown(Snapshot)(value), (issue) =>
        noState(file, Violation.format(Violation.fromIssue(issue)))
      )
    )
  )

const encode = ParseResult.encodeSync(Schema.parseJson(Snapshot))

/**
 * Opens a file of state. A path that does not exist yet becomes a new file, whose folder must exist. Keys are in it as they are,
 * so only its owner may read it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (
  file: string
): Effect.Effect<StateFile, StateFileError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const failed = (what: string) => (error: unknown) =>
      new StateFileError({ file, reason: `${what}: ${reasonOf(error)}` })
    const exists = yield* Effect.orElseSucceed(fs.exists(file), () => false)
    // A link stays one: its target is replaced.
    const target = exists ? yield* Effect.orElseSucceed(fs.realPath(file), () => file) : path.resolve(file)
    const restored = exists
      ? yield* Effect.flatMap(Effect.mapError(fs.readFileString(target), failed("can't be read")), (text) =>
          decode(file, text)
        )
      : undefined
    yield* Effect.mapError(fs.access(path.dirname(target), { writable: true }), failed("can't be written"))
    const draft = `${target}.part`
    const write = (text: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const handle = yield* fs.open(draft, { flag: "w", mode: 0o600 })
          yield* handle.writeAll(new TextEncoder().encode(text))
          yield* handle.sync
        })
      )
    const save = (snapshot: Snapshot) =>
      Effect.suspend(() => write(encode(snapshot))).pipe(
        Effect.zipRight(fs.rename(draft, target)),
        Effect.mapError(failed("can't be written")),
        Effect.uninterruptible
      )
    return { restored, save }
  })
