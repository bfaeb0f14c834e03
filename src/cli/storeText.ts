/** A store in words. */
import type * as StoreExchange from "../store/StoreExchange.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as text from "./textTable.js"

/** The bill of a request by its state, in the order in which they are shown. */
const states = {
  answered: "as the service counts",
  rejected: "no",
  unknown: "perhaps",
  expired: "perhaps",
  inFlight: "not known yet"
} as const

/** The sums of a store. Its characters are those of texts that were sent: the service counts the billed ones. */
export const ofStats = (name: string, stats: TranslationStore.Stats): string => {
  const { attempts, bytes, corrections, languages, refused, translations } = stats
  const sent = (Object.keys(states) as ReadonlyArray<keyof typeof states>).filter(
    (state) => attempts[state].attempts > 0
  )
  const doubtful = attempts.unknown.characters + attempts.expired.characters
  return text.lines(
    `Store: ${name}`,
    `${text.plural(translations, "translation")} of the machine, ${text.count(bytes)} bytes; ${text.plural(corrections, "correction")}.`,
    refused > 0 &&
      `${text.plural(refused, "translation")} more ${refused === 1 ? "was" : "were"} paid for and refused by checks.`,
    languages.length > 0 && [
      "",
      text.table(
        ["from", "to", "translations"],
        languages.map(({ sourceLang, targetLang, translations }) => [
          sourceLang ?? "detected",
          targetLang ?? "the same",
          translations
        ])
      )
    ],
    sent.length > 0 && [
      "",
      text.table(
        ["requests", "number", "characters sent", "billed"],
        sent.map((state) => [
          state === "inFlight" ? "in flight" : state,
          attempts[state].attempts,
          attempts[state].characters,
          states[state]
        ])
      )
    ],
    doubtful > 0 && [
      "",
      `At most ${text.plural(doubtful, "character")} that ${doubtful === 1 ? "was" : "were"} sent may have been paid in vain, or will be if sent again.`
    ]
  )
}

/** Corrections and translations of the machine, as far as there are any. */
const items = (corrections: number, entries: number): ReadonlyArray<string> => [
  ...(corrections > 0 ? [text.plural(corrections, "correction")] : []),
  ...(entries > 0 ? [`${text.plural(entries, "translation")} of the machine`] : [])
]

/** The counts of an import into a store. */
export const ofImport = (name: string, counts: StoreExchange.ImportCounts): string => {
  const { corrections, entries, knownCorrections, knownEntries, outdated, withoutLanguage } = counts
  const read = items(corrections, entries)
  const known = items(knownCorrections, knownEntries)
  return text.lines(
    [
      `${read.length === 0 ? "Nothing new" : read.join(" and ")} read into ${name}`,
      ...(known.length === 0
        ? []
        : [`${known.join(" and ")} as ${knownCorrections + knownEntries === 1 ? "it was" : "they were"}`])
    ]
      .join(", ")
      .concat("."),
    outdated > 0 &&
      `${text.plural(outdated, "correction")} of the file ${outdated === 1 ? "is" : "are"} older than the store's, which ${outdated === 1 ? "stays" : "stay"}: \`memory export --corrections\` shows the content of the store.`,
    withoutLanguage > 0 &&
      `${text.plural(withoutLanguage, "edited translation")} ${withoutLanguage === 1 ? "has" : "have"} no target language: a correction needs one, so ${withoutLanguage === 1 ? "it is" : "they are"} not taken.`
  )
}
