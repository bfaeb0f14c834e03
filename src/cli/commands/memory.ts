import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Salvaged } from "../../sql/LibsqlTranslationStore.js"
import * as StoreError from "../../store/StoreError.js"
import * as StoreExchange from "../../store/StoreExchange.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import type { Actions } from "../command.js"
import type { memory } from "../declarations/texts.js"
import * as duration from "../duration.js"
import { Incomplete, type Usage, usage } from "../failure.js"
import { pull, push } from "../memorySync.js"
import * as files from "../namedFiles.js"
import { besideFile, Output } from "../output.js"
import * as stores from "../storeOption.js"
import * as storeText from "../storeText.js"
import { confirm } from "../terminal/prompt.js"
import * as text from "../textTable.js"

const { csv, jsonl, tmx } = StoreExchange
const formats = { csv, jsonl, tmx }

/** The format of a file: as told, or as its name says. */
const formatOf = (
  file: string,
  format: keyof typeof formats | undefined
): Effect.Effect<StoreExchange.ExchangeFormat, Usage> => {
  const name = file.toLowerCase()
  const found =
    format === undefined
      ? Object.values(formats).find(({ extensions }) =>
          extensions.some((extension) => name.endsWith(extension))
        )
      : formats[format]
  return found === undefined
    ? usage(
        file === files.standard
          ? "Say the format by --format csv, jsonl or tmx."
          : `${file}: the name must end with .csv, .jsonl or .tmx, or --format name the format of the file.`
      )
    : Effect.succeed(found)
}

/** A person waits for the answer: shorter than a run does. */
const schedule = Schedule.exponential("100 millis").pipe(Schedule.upTo("5 seconds"))

/** Uses a store that must be there already. */
const withExisting = <A, E, R>(
  given: string | undefined,
  use: (name: string) => Effect.Effect<A, E, R | TranslationStore.TranslationStore>
) =>
  Effect.flatMap(stores.openExisting(given, { schedule }), ({ layer, name }) =>
    Effect.provide(use(name), layer)
  )

const powers = ["", "K", "M", "G", "T"]

/** Bytes such as `500MB`. */
const bytesOf = (given: string): Effect.Effect<number, Usage> => {
  const [, figure, power] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)b?$/i.exec(given.trim()) ?? []
  return power === undefined
    ? usage(`--max-size ${given}: give a number and KB, MB or GB, such as 500MB.`)
    : Effect.succeed(Math.floor(Number(figure) * 1000 ** powers.indexOf(power.toUpperCase())))
}

const given = <A, E>(value: string | undefined, parse: (value: string) => Effect.Effect<A, E>) =>
  value === undefined ? Effect.succeed(undefined) : parse(value)

/** Describes the rows saved from a damaged store. */
const describeSalvaged = (name: string, file: string, salvaged: Salvaged): string => {
  const { attempts, corrections, translations } = salvaged
  return [
    text.table(
      ["", "saved", "lost"],
      [
        ["translations of the machine", translations.saved, translations.lost],
        ["corrections", corrections.saved, corrections.lost],
        ["requests in the ledger", attempts.saved, attempts.lost]
      ]
    ),
    "",
    `${file} is a store: name it by --store, or put it in the place of ${name}. Lost translations are paid for again.`
  ].join("\n")
}

export const actions: Actions<typeof memory> = {
  stats: ({ store }) =>
    withExisting(store, (name) =>
      Effect.gen(function* () {
        const { stats } = yield* TranslationStore.TranslationStore
        const found = yield* stats
        yield* Output.result({ store: name, ...found }, storeText.ofStats(name, found))
      })
    ),

  verify: ({ store }) =>
    Effect.gen(function* () {
      const { isFile, name, verify } = yield* stores.openExisting(store, { schedule })
      const found = yield* verify
      const { attempts, corrections, problems, translations } = found
      const isWhole = problems.length === 0
      yield* Output.result(
        { store: name, isWhole, ...found },
        [
          `Store: ${name}`,
          `${text.plural(translations, "translation")} of the machine, ${text.plural(corrections, "correction")}, ${text.plural(attempts, "request")} in the ledger.`,
          ...(isWhole
            ? ["Nothing is damaged."]
            : problems.map(({ check, message }) => `${check}: ${message}`))
        ].join("\n")
      )
      if (!isWhole) {
        const advice = isFile
          ? "effect-translate memory salvage <new file> saves its readable rows"
          : "restore a backup"
        return yield* new Incomplete({ message: `The store ${name} is damaged: ${advice}.` })
      }
    }),

  salvage: ({ file, store }) =>
    Effect.gen(function* () {
      const { isFile, name } = yield* stores.openExisting(store, { schedule })
      if (!isFile) return yield* usage("Only a file can be salvaged: name one by --store.")
      if (
        yield* Effect.orElseSucceed(
          Effect.flatMap(FileSystem.FileSystem, (fs) => fs.exists(file)),
          () => false
        )
      ) {
        return yield* usage(`${file} is there already: name a new file.`)
      }
      const salvaged = yield* stores
        .salvage(name, file)
        .pipe(
          Effect.mapError((error) => (StoreError.isStoreError(error) ? error : files.unwritable(file)(error)))
        )
      if (Object.values(salvaged).every(({ saved }) => saved === 0)) {
        return yield* new Incomplete({
          message: `Nothing can be read in ${name}, so there is no ${file}: restore a backup, or begin with another store.`
        })
      }
      yield* Output.result({ store: name, file, ...salvaged }, describeSalvaged(name, file, salvaged))
    }),

  export: (input) =>
    withExisting(input.store, (name) =>
      Effect.gen(function* () {
        const { file, format } = input
        const { encode } = yield* formatOf(file, format)
        const store = yield* TranslationStore.TranslationStore
        const { result } = yield* besideFile(file, input)
        const items = input.corrections ? store.corrections : StoreExchange.exportAll(store)
        let exported = 0
        const counted = Stream.mapChunks(items, (chunk) => {
          exported += chunk.length
          return chunk
        })
        yield* files.write(file, encode(counted))
        yield* result(
          { store: name, file, exported },
          `${text.plural(exported, "item")} of ${name} written to ${files.nameOf(file)}.`
        )
      })
    ),

  import: ({ files: names, format, from, store, to }) =>
    Effect.gen(function* () {
      const sources = yield* Effect.forEach(names, (file) =>
        Effect.map(formatOf(file, format), ({ decode }) =>
          files.read(file).pipe(
            decode({
              file: files.nameOf(file, "input"),
              sourceLang: from,
              targetLang: to
            })
          )
        )
      )
      const { layer, name } = yield* stores.open(store)
      const counts = yield* Effect.provide(
        Effect.flatMap(TranslationStore.TranslationStore, (opened) =>
          StoreExchange.importAll(Stream.flatten(Stream.fromIterable(sources)), opened)
        ),
        layer
      ).pipe(
        Effect.catchTag("FormatError", ({ key, message }) => {
          const advice = key === "targetLang" && to === undefined ? " Or say the language by --to." : ""
          return usage(
            `${message}${advice} The entries before are imported: correct the file and import it again.`
          )
        })
      )
      yield* Output.result({ store: name, ...counts }, storeText.ofImport(name, counts))
    }),

  push,

  pull,

  prune: ({ maxSize, olderThan, store, yes }) =>
    Effect.gen(function* () {
      if (olderThan === undefined && maxSize === undefined) {
        return yield* usage("Name a limit: --older-than 90d, --max-size 500MB, or both.")
      }
      const maxAge = yield* given(olderThan, (time) => duration.parse("--older-than", time))
      const maxBytes = yield* given(maxSize, bytesOf)
      yield* withExisting(store, (name) =>
        Effect.gen(function* () {
          yield* confirm(`Remove translations from ${name} that would be paid for again?`, { yes })
          const { prune } = yield* TranslationStore.TranslationStore
          const removed = yield* prune({ maxAge, maxBytes })
          yield* Output.result(
            { store: name, removed },
            `${text.plural(removed, "translation")} removed from ${name}.`
          )
        })
      )
    })
}
