/** The memory of the service that was pushed last, and the push that has begun. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as files from "../../internal/files.js"
import { hash } from "../../internal/hash.js"
import { MemoryJournalError } from "../TranslationMemorySyncError.js"

/** A memory, by whose and which it is. */
const Key = Schema.Struct({ service: Schema.String, account: Schema.String, name: Schema.String })

export type Key = typeof Key.Type

const Entry = Schema.Struct({
  ...Key.fields,
  /** The memory with the last push. */
  translationMemoryId: Schema.optional(Schema.String),
  /** Memories of which that one holds everything. */
  superseded: Schema.Array(Schema.String),
  /** An import that was begun. Its address gives everyone the right to send its file. */
  begun: Schema.optional(
    Schema.Struct({
      jobId: Schema.String,
      uploadUrl: Schema.Redacted(Schema.String),
      /** Segments of the memory before it that its file does not hold. */
      dropped: Schema.Number
    })
  )
})

export type Entry = typeof Entry.Type

const Journal = Schema.parseJson(
  Schema.Struct({ format: Schema.Literal("effect-translate-memories/1"), memories: Schema.Array(Entry) })
)

const decode = Schema.decodeUnknown(Journal)
const encode = Schema.encode(Journal)

const isOf = (key: Key) => (entry: Key) =>
  entry.service === key.service && entry.account === key.account && entry.name === key.name

const failed = (file: string, reason: string) => () => new MemoryJournalError({ file, reason })

/** All memories that were pushed. */
export const readAll = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = yield* Effect.catchIf(
      Effect.asSome(fs.readFileString(file)),
      files.isMissing,
      () => Effect.succeedNone
    ).pipe(Effect.mapError(failed(file, "can't be read: check its rights")))
    if (Option.isNone(text)) return []
    const { memories } = yield* Effect.mapError(
      decode(text.value),
      failed(file, "is no journal of translation memories, or it is damaged: name another file")
    )
    return memories
  })

/** Writes a file that only its owner may read, whole or not at all. */
export const writeFile = <E, R>(file: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
  files.replace(
    file,
    bytes,
    failed(file, "can't be written: check that its folder is there, its rights, and the room on the disk"),
    0o600
  )

/** The journal of one memory. */
export const open = (file: string, key: Key) =>
  Effect.map(readAll(file), (all) => {
    let entry: Entry = all.find(isOf(key)) ?? { ...key, superseded: [] }
    return {
      /** The file that an import sends. */
      tmx: `${file}.${hash(JSON.stringify([key.service, key.account, key.name])).slice(0, 12)}.tmx`,
      entry: () => entry,
      change: (changes: Partial<Omit<Entry, keyof Key>>) =>
        Effect.gen(function* () {
          const next = { ...entry, ...changes }
          // Read anew: a push of another memory may have written meanwhile.
          const others = (yield* readAll(file)).filter((other) => !isOf(key)(other))
          const text = yield* Effect.orDie(
            encode({ format: "effect-translate-memories/1", memories: [...others, next] })
          )
          yield* writeFile(file, Stream.encodeText(Stream.make(`${text}\n`)))
          entry = next
        }).pipe(Effect.uninterruptible)
    }
  })

export type Journal = Effect.Effect.Success<ReturnType<typeof open>>
