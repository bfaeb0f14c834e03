import * as Headers from "@effect/platform/Headers"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Call } from "../calling/call.js"
import { normalizeText } from "./normalizeText.js"
import type { Quotable } from "./quotable.js"
import { stopWords } from "./stopWords.js"

/** The characters of a message that are shown, and those that are compared: a secret may begin where it is cut. */
const shown = 300

const compared = 2 * shown

const parseObject = (json: string): { readonly [key: string]: unknown } =>
  Option.liftThrowable(JSON.parse)(json).pipe(
    Option.filter(Predicate.isReadonlyRecord),
    Option.getOrElse(() => ({}))
  )

const strings = (...values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values
    .flat()
    .filter(Predicate.isString)
    .map(normalizeText)
    .filter((value) => value !== "")

/** The secrets of a call that an error must not show, in normal form. */
const secretsOf = (request: HttpClientRequest.HttpClientRequest, document: Quotable | undefined) => {
  const body =
    request.body._tag === "Uint8Array" && request.body.contentType === "application/json"
      ? parseObject(new TextDecoder().decode(request.body.body))
      : {}
  const phrases = Arr.ensure(body.dictionaries ?? body)
    .filter(Predicate.isReadonlyRecord)
    .flatMap(({ entries }) => (Predicate.isString(entries) ? entries.split(/[\t\n]/) : []))
  const instructions = Arr.ensure(body.custom_instructions ?? body).map((each) =>
    Predicate.isReadonlyRecord(each) ? each.prompt : each
  )
  return {
    keys: strings(
      request.headers.authorization?.split(" ")[1],
      body.key_id,
      body.document_key,
      UrlParams.getAll(request.urlParams, "token")
    ),
    texts: strings(body.text, body.context, instructions, phrases, document?.parts ?? [])
  }
}

/** A message in normal form, and which of its characters are in words that all services use. */
interface Message {
  readonly text: string
  readonly isOwn: ReadonlyArray<boolean>
}

const messageOf = (full: string): Message => {
  const text = normalizeText(full)
  const isOwn = Array.from({ length: text.length }, () => true)
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!stopWords.has(word)) isOwn.fill(false, index, index + word.length)
  }
  return { text, isOwn }
}

const saysMoreThanServices = ({ isOwn }: Message, start: number, end: number): boolean =>
  isOwn.slice(start, end).includes(false)

/** All runs of `size` characters of a message that a service would not say by itself. */
const runsOf = (message: Message, size: number): ReadonlySet<string> => {
  const runs = new Set<string>()
  for (let i = 0; i + size <= message.text.length; i++) {
    if (saysMoreThanServices(message, i, i + size)) runs.add(message.text.slice(i, i + size))
  }
  return runs
}

const holdsOneOf = (secret: string, runs: ReadonlySet<string>, size: number): boolean => {
  for (let i = 0; runs.size > 0 && i + size <= secret.length; i++) {
    if (runs.has(secret.slice(i, i + size))) return true
  }
  return false
}

/** True if a word of letters goes on between two characters. Ideographs have no such words. */
const isWithinWord = (before: string, after: string): boolean => {
  const letter =
    /(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai})[\p{L}\p{M}\p{N}]/u
  return letter.test(before) && letter.test(after)
}

/** True if a message holds the whole of a short secret, and not only as a part of another word. */
const holdsWhole = (message: Message, secret: string): boolean => {
  const { text } = message
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length
    if (
      saysMoreThanServices(message, at, end) &&
      !isWithinWord(text.charAt(at - 1), secret.charAt(0)) &&
      !isWithinWord(secret.charAt(secret.length - 1), text.charAt(end))
    ) {
      return true
    }
  }
  return false
}

/** No run of a key of this length is shown. A random id has runs of four in common with one key in fifty. */
const keyRun = { inMessage: 4, inId: 8 }

/** Runs of a text are not shown from this length on, and if they are half of it, from the smaller one. */
const textRun = { of: 20, half: 12 }

const isConfidential = (call: Call, full: string, keyRun: number): boolean => {
  const message = messageOf(full.slice(0, compared))
  if (!message.isOwn.includes(false)) return false
  const { keys, texts } = secretsOf(call.response!.request, call.document)
  const runs = new Map<number, ReadonlySet<string>>()
  const sharesRun = (secret: string, size: number): boolean => {
    const found = runs.get(size) ?? runsOf(message, size)
    runs.set(size, found)
    return holdsOneOf(secret, found, size)
  }
  const isRepeatedText = (text: string): boolean => {
    if (text.length >= textRun.half) {
      return sharesRun(text, Math.min(textRun.of, Math.max(textRun.half, Math.ceil(text.length / 2))))
    }
    // One or two letters are everywhere.
    return /\S{3}|[^\x00-\x7f]/.test(text) && holdsWhole(message, text)
  }
  return (
    keys.some((key) => (key.length < keyRun ? holdsWhole(message, key) : sharesRun(key, keyRun))) ||
    texts.some(isRepeatedText)
  )
}

/** A message of the service about a call, shortened; withheld if it repeats enough of the request to matter. */
export const message = (call: Call, full: string): string => {
  const short = full.length > shown ? `${full.slice(0, shown)}…` : full
  return isConfidential(call, full, keyRun.inMessage)
    ? "(withheld, since it repeats parts of the request)"
    : short
}

/** The message in the body of an error response. Only JSON has one: an HTML page of a proxy tells nothing. */
export const bodyMessage = (call: Call, body: string): string | undefined => {
  const { detail, message: title } = parseObject(body)
  const full = [title, detail].filter((part) => Predicate.isString(part) && part !== "").join(": ")
  return full === "" ? undefined : message(call, full)
}

/** The id of a response for the service's support, if it looks like one. */
export const traceId = (call: Call): string | undefined => {
  const id = call.response?.headers["x-trace-id"]
  const isId = id !== undefined && /^[\w.:;=/+-]{1,128}$/.test(id) && !isConfidential(call, id, keyRun.inId)
  return isId ? id : undefined
}

/** All headers of requests and responses but some that hold no text. */
const hiddenHeaders =
  /^(?!(?:accept|accept-encoding|b3|content-encoding|content-length|content-type|date|retry-after|server|traceparent|user-agent|via)$)/i

/** Hides the values of headers from spans. */
export const withoutHiddenHeaders = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locallyWith(effect, Headers.currentRedactedNames, Arr.append(hiddenHeaders))
