import * as Either from "effect/Either"
import { makeDecoder } from "../../../internal/utf8.js"
import * as Format from "../../Format.js"
import { type Batch, fromBytes, type Transducer, transduce, valuesOrFail } from "../transducer.js"
import { layout } from "./cueLayout.js"
import { type Cue, type Item, isTimeLine, type Kind, makeCueReader } from "./cueReader.js"
import { escapeCue, plainOf, type Turn, turnsOf } from "./cueText.js"

/** A cue with one speaker. */
interface Spoken {
  readonly cue: Cue
  readonly turn: Turn
}

const maxGroup = 8
const maxGap = 1500
const maxOverlap = 200

const ended = /(?:[.!?…。！？؟।♪♫)\]）】]|[-–—―])["'”’»」』]*$/
const unspacedEnd =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u
const begins = /^[[(（【♪♫]/

/** True if no sentence goes on behind a text. Scripts without spaces often have no full stops: there, only a comma says so. */
const isEnded = (text: string): boolean => {
  const plain = plainOf(text).trim()
  return ended.test(plain) || unspacedEnd.test(plain)
}

const marksOf = (prefix: string): string => (prefix.match(/<v[^<>]*>|\{\\an?\d+\}/g) ?? []).join("")

const hasDash = (prefix: string): boolean => /[-–—‐][ \t]*$/.test(plainOf(prefix))

const sharesSentence = (last: Spoken, next: Spoken): boolean =>
  next.cue.isAdjacent &&
  last.cue.settings === next.cue.settings &&
  marksOf(last.turn.prefix) === marksOf(next.turn.prefix) &&
  !hasDash(next.turn.prefix) &&
  next.cue.start - last.cue.end < maxGap &&
  next.cue.start - last.cue.end > -maxOverlap &&
  next.cue.start > last.cue.start &&
  !isEnded(last.turn.text) &&
  !begins.test(plainOf(next.turn.text).trim())

/** Names of cues that rise are unique; others get the number of their line. */
const makeKeys = () => {
  let lastNumber = -1
  let lastStart = -1
  return ({ id, line, start, startText }: Cue): string => {
    const number = id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
    if (number !== undefined) {
      if (number <= lastNumber) return `${number}#${line}`
      lastNumber = number
      return String(number)
    }
    if (start <= lastStart) return `${startText}#${line}`
    lastStart = start
    return startText
  }
}

const slotOf = ({ cue, turn }: Spoken) => ({
  duration: cue.end - cue.start,
  length: plainOf(turn.text).length
})

const rawOf = ({ body, head, tail }: Cue): string => head + body + tail

/** The text of a group on its cues. */
const writeGroup = (
  group: ReadonlyArray<Spoken>,
  translation: string,
  kind: Kind,
  language: string
): Either.Either<string, Format.Problem> => {
  const pieces = layout(translation, group.map(slotOf), language).map((piece) => escapeCue(piece, kind))
  if (pieces.some((piece) => piece.split("\n").some((line) => isTimeLine(kind, line)))) {
    const message = "the translation holds a line that would be read as the times of a cue: correct it."
    return Either.left({ message })
  }
  return Either.right(
    group
      .map(({ cue, turn }, index) => {
        const text = pieces[index]!.replaceAll("\n", cue.newline)
        return cue.head + turn.prefix + text + turn.suffix + cue.tail
      })
      .join("")
  )
}

const groupPart = (group: ReadonlyArray<Spoken>, key: string, kind: Kind, language: string): Format.Part => {
  const raw = group.map(({ cue }) => rawOf(cue)).join("")
  const text = group.map(({ turn }) => turn.text).join(" ")
  const unit: Format.Unit = { key, text, line: group[0]!.cue.line, state: "missing" }
  return {
    raw,
    units: [unit],
    write: ([translation]) =>
      translation === undefined || translation === text
        ? Either.right(raw)
        : writeGroup(group, translation, kind, language)
  }
}

/** A cue with several speakers, or with none that has something to say. */
const dialogPart = (
  cue: Cue,
  turns: ReadonlyArray<Turn>,
  name: string,
  kind: Kind,
  language: string
): Format.Part => {
  const spoken = turns.filter(({ isUnit }) => isUnit)
  if (spoken.length === 0) return { raw: rawOf(cue), units: [] }
  return {
    raw: rawOf(cue),
    units: spoken.map(({ text }, index) => ({
      key: `${name}/${index + 1}`,
      text,
      line: cue.line,
      state: "missing"
    })),
    write: (translations) =>
      Either.map(
        Either.all(
          turns.map((turn) => {
            const index = spoken.indexOf(turn)
            const translation = translations[index]
            return translation === undefined || translation === turn.text
              ? Either.right(turn.prefix + turn.raw + turn.suffix)
              : Either.mapLeft(
                  writeGroup([{ cue: { ...cue, head: "", tail: "" }, turn }], translation, kind, language),
                  (problem) => ({ ...problem, key: `${name}/${index + 1}` })
                )
          })
        ),
        (written) => cue.head + written.join("") + cue.tail
      )
  }
}

/** Returns `true` if a cue goes on with the sentence of the one before it. */
type GoesOn = (last: Spoken, next: Spoken, key: string) => boolean

/** Where the keys are known, a cue goes on unless a sentence begins with it. */
const byKeys = (keys: ReadonlySet<string>): GoesOn => {
  const firsts = new Set(Array.from(keys, (key) => key.replace(/\/\d+$/, "")))
  return (_, __, key) => !firsts.has(key)
}

/** Puts cues that share a sentence into one part. */
const makeGrouper = (kind: Kind, language: string, goesOn: GoesOn) => {
  const nextKey = makeKeys()
  let group: ReadonlyArray<Spoken> = []
  let groupKey = ""

  const flush = (): ReadonlyArray<Format.Part> => {
    if (group.length === 0) return []
    const part = groupPart(group, groupKey, kind, language)
    group = []
    return [part]
  }

  const push = (item: Item): ReadonlyArray<Format.Part> => {
    if (typeof item === "string") return [...flush(), { raw: item, units: [] }]
    const turns = turnsOf(item.body, kind)
    const key = nextKey(item)
    const [turn] = turns
    if (turns.length > 1 || !turn!.isUnit) {
      return [...flush(), dialogPart(item, turns, key, kind, language)]
    }
    const spoken = { cue: item, turn: turn! }
    const last = group.at(-1)
    if (last !== undefined && group.length < maxGroup && goesOn(last, spoken, key)) {
      group = [...group, spoken]
      return []
    }
    const done = flush()
    group = [spoken]
    groupKey = key
    return done
  }

  return { flush, push }
}

const makeTransducer = (
  kind: Kind,
  language: string,
  goesOn: GoesOn
): Transducer<Uint8Array, Batch<Format.Part, Format.Problem>> => {
  const items = fromBytes(makeCueReader(kind), makeDecoder({ keepsMark: true }))
  const grouper = makeGrouper(kind, language, goesOn)
  const group = ({ problem, values }: Batch<Item, Format.Problem>, isLast: boolean) => ({
    values: [...values.flatMap(grouper.push), ...(isLast || problem !== undefined ? grouper.flush() : [])],
    problem
  })
  return {
    push: (input) => group(items.push(input), false),
    end: () => group(items.end(), true)
  }
}

/** Reads the parts of subtitles, one for each group of cues. */
export const decode =
  (kind: Kind, name: string) =>
  ({ file, keys, targetLang }: Format.DecodeOptions) =>
    transduce(
      () => makeTransducer(kind, targetLang, keys === undefined ? sharesSentence : byKeys(keys)),
      valuesOrFail((problem: Format.Problem) => Format.formatError(name, file, problem))
    )

/** Tags of cues, and those of SubStation Alpha that SRT files have: `{\an8}`. */
export const placeholders: Format.Placeholders = { kinds: ["tags"], patterns: [/\{\\[^{}]*\}/g] }
