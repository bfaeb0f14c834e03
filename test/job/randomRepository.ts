/** A repository in a folder, with one source and its output, in which people and the machine work: what tests do to it, and see of it. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TranslationStore } from "effect-translate"
import { Json, Markdown, Po, Xliff } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { marking } from "./support.js"

/** The units of a source, or of an output, in their order. */
export type Units = ReadonlyArray<readonly [key: string, text: string]>

/** A kind of files, in as much of its format as these tests need. */
export interface Kind {
  readonly name: string
  readonly format: JobSource.FileOptions["format"]
  /** The name of a unit of the source: where the key does not tell it from others, its text is a part of it. */
  readonly nameOf: (unit: Units[number]) => string
  readonly write: (source: Units) => string
  /** The units of an output, by names as those of the source's, or by their places. */
  readonly read: (output: string) => Units
  readonly edit: (output: string, before: string, after: string) => string
}

export const kinds: ReadonlyArray<Kind> = [
  {
    name: "a.json",
    format: Json.format,
    nameOf: ([key]) => key,
    write: (source) => `${JSON.stringify(Object.fromEntries(source), null, 2)}\n`,
    read: (output) => Object.entries(JSON.parse(output) as Record<string, string>),
    edit: (output, before, after) => output.replace(`"${before}"`, `"${after}"`)
  },
  {
    name: "a.po",
    format: Po.format,
    nameOf: ([key, text]) => `${key} ${text}`,
    write: (source) =>
      ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n']
        .concat(source.map(([key, text]) => `msgctxt "${key}"\nmsgid "${text}"\nmsgstr ""\n`))
        .join("\n"),
    read: (output) =>
      Array.from(
        output.matchAll(/^msgctxt "(.*)"\nmsgid "(.*)"\nmsgstr "(.*)"$/gm),
        ([, key, id, text]) => [`${key} ${id}`, text!] as const
      ),
    edit: (output, before, after) => output.replace(`\nmsgstr "${before}"`, `\nmsgstr "${after}"`)
  },
  {
    name: "a.xlf",
    format: Xliff.format,
    nameOf: ([key]) => key,
    write: (source) =>
      [
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">',
        '<file source-language="en" target-language="de" datatype="plaintext" original="a"><body>',
        ...source.map(([key, text]) => `<trans-unit id="${key}"><source>${text}</source></trans-unit>`),
        "</body></file></xliff>\n"
      ].join("\n"),
    read: (output) =>
      Array.from(
        output.matchAll(/<trans-unit id="([^"]*)">.*?<\/trans-unit>/gs),
        ([unit, key]) => [key!, /<target[^>]*>(.*)<\/target>/s.exec(unit)?.[1] ?? ""] as const
      ),
    edit: (output, before, after) =>
      before === "" ? output : output.replace(`>${before}</target>`, `>${after}</target>`)
  },
  {
    name: "a.md",
    format: Markdown.format,
    nameOf: ([, text]) => text,
    write: (source) => source.map(([, text]) => `${text}\n`).join("\n"),
    read: (output) =>
      output
        .split(/\n+/)
        .filter((text) => text !== "")
        .map((text, index) => [String(index), text] as const),
    edit: (output, before, after) => output.replace(before, after)
  }
]

/** The machine's translation of a text. */
export const machineOf = (text: string): string => `Maschine sagt ${text}`

export interface Result {
  readonly state: string
  /** The texts that were sent. */
  readonly sent: ReadonlyArray<string>
  /** A person's texts that the run has named as taken out of the output. */
  readonly deleted: ReadonlyArray<string>
}

type Service = Context.Tag.Service<typeof TranslationStore.TranslationStore>

export const make = (folder: string, { format, name }: Kind) =>
  Effect.gen(function* () {
    let place = "src"
    const newStore = Effect.map(
      Layer.build(Layer.fresh(TranslationStore.layerMemory({ texts: 500 }))),
      Context.get(TranslationStore.TranslationStore)
    )
    let store: Service = yield* newStore
    const path = (kind: "source" | "output") =>
      `${folder}/${place}/${kind === "source" ? name : `de/${name}`}`
    const records = `${folder}/.state/records`
    const write = (file: string, text: string) => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const read = (kind: "source" | "output") =>
      existsSync(path(kind)) ? readFileSync(path(kind), "utf8") : undefined
    const recordFile = () => `${records}/de/${place}/de/${name}.jsonl`
    return {
      read,
      write: (kind: "source" | "output", text: string) => write(path(kind), text),
      /** The lines of the output's record. */
      record: () => (existsSync(recordFile()) ? readFileSync(recordFile(), "utf8") : undefined),
      writeRecord: (text: string) => write(recordFile(), text),
      /** Moves the source and the output, and not the record. */
      move: (to: string) => {
        if (to === place) return
        mkdirSync(`${folder}/${to}`, { recursive: true })
        for (const part of [name, "de"]) {
          if (existsSync(`${folder}/${place}/${part}`)) {
            rmSync(`${folder}/${to}/${part}`, { recursive: true, force: true })
            renameSync(`${folder}/${place}/${part}`, `${folder}/${to}/${part}`)
          }
        }
        place = to
      },
      lose: (what: "records" | "cache") =>
        rmSync(`${folder}/.state/${what}`, { recursive: true, force: true }),
      loseStore: Effect.map(newStore, (other) => {
        store = other
      }),
      /** The corrections of the store, by their sources. */
      corrections: Effect.suspend(() =>
        Effect.map(
          Stream.runCollect(store.corrections),
          (all) => new Map(Chunk.toReadonlyArray(all).map(({ source, translation }) => [source, translation]))
        )
      ),
      /** Translates the source. */
      run: (removed: "keep" | "drop") =>
        Effect.suspend(() => {
          const { provide, sent } = marking(undefined, machineOf)
          return TranslationJob.run({
            sources: [
              JobSource.file({
                path: path("source"),
                output: `${folder}/${place}/{lang}/${name}`,
                format,
                stateFolder: `${folder}/.state`,
                removed
              })
            ],
            targets: ["de"],
            options: { sourceLang: "en" }
          }).pipe(
            Effect.either,
            Effect.map((result): Result => {
              const output = Either.isRight(result) ? result.right.outputs[0] : undefined
              return {
                state: Either.isLeft(result)
                  ? (result.left as { readonly _tag: string })._tag
                  : (output?.error?.tag ?? result.right.end.state),
                sent: sent(),
                deleted: (output?.deleted ?? []).map(({ translation }) => translation)
              }
            }),
            provide,
            Effect.provideService(TranslationStore.TranslationStore, store)
          )
        })
    }
  })

export type Repository = Effect.Effect.Success<ReturnType<typeof make>>
