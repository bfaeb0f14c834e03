/** Bilingual files, and what people have translated in them. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { mo } from "gettext-parser"
import { make as makePo } from "../../src/format/Po.js"

/** A text, and how a person has translated it. */
export interface Translation {
  readonly source: string
  readonly translation: string
}

export interface Text extends Translation {
  readonly writer: string
}

export type OfLocale = readonly [locale: string, texts: ReadonlyArray<Translation>]

/**
 * A machine object file. Of a message with a plural, the plural and the last form of its translations: with most languages it is
 * the one for large numbers.
 */
export const readMo = (path: string): ReadonlyArray<Translation> =>
  Object.values(mo.parse(readFileSync(path)).translations)
    .flatMap((messages) => Object.values(messages))
    .filter(({ msgid }) => msgid !== "")
    .map(({ msgid, msgid_plural, msgstr }) => ({
      source: msgid_plural ?? msgid,
      translation: msgstr.at(-1) ?? ""
    }))

/** A catalogue in the text form, without messages with plurals. */
export const readPo = (path: string, targetLang: string): Promise<ReadonlyArray<Translation>> =>
  Stream.make(readFileSync(path)).pipe(
    makePo().decode({ targetLang }),
    Stream.filter(({ units }) => units.length === 1),
    Stream.mapConcat(({ units }) =>
      units.flatMap(({ state, text, translation }) =>
        state === "translated" && translation !== undefined ? [{ source: text, translation }] : []
      )
    ),
    Stream.runCollect,
    Effect.map((found) => [...found]),
    Effect.runPromise
  )

/** Questions that a package asks when it is installed, in all languages: the first line of each, and its paragraphs. */
export const readTemplates = (path: string): ReadonlyArray<OfLocale> =>
  readFileSync(path, "utf8")
    .split(/\n{2,}/)
    .flatMap((template) => {
      const descriptions = [...template.matchAll(/^Description(?:-(\w+)\.UTF-8)?: (.*(?:\n .*)*)/gm)].map(
        ([, locale, description]) => ({
          locale,
          texts: description!
            .replace("\n", "\n .\n")
            .split(/\n \.(?=\n)/)
            .map((text) => text.replace(/\s+/g, " ").trim())
        })
      )
      const sources = descriptions.find(({ locale }) => locale === undefined)?.texts ?? []
      return descriptions.flatMap(
        ({ locale, texts }): ReadonlyArray<OfLocale> =>
          locale !== undefined && texts.length === sources.length
            ? [[locale, texts.map((translation, index) => ({ source: sources[index]!, translation }))]]
            : []
      )
    })

type Json = string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const leaves = (value: Json, key = ""): ReadonlyArray<readonly [key: string, text: string]> =>
  typeof value === "string"
    ? [[key, value]]
    : Object.entries(value ?? {}).flatMap(([name, child]) => leaves(child, `${key}.${name}`))

/**
 * Two files of JSON with the same keys. Texts that are equal are left out: most catalogues of this kind have them where a translation
 * is missing. So are forms for one, which is another number in another language.
 */
export const readJson = (sourcePath: string, path: string): ReadonlyArray<Translation> => {
  const [sources, translations] = [sourcePath, path].map((each) =>
    leaves(JSON.parse(readFileSync(each, "utf8")))
  )
  const bySource = new Map(sources)
  return translations!.flatMap(([key, translation]) => {
    const source = bySource.get(key)
    return source === undefined || source === translation || /[._]one$/.test(key)
      ? []
      : [{ source, translation }]
  })
}
