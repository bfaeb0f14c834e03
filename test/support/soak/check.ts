/** What must hold of every run, whatever the program. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { Outcome, TranslateClient, type TranslateError } from "effect-translate"
import { PseudoTranslation } from "effect-translate/emulator"
import { eaten, faultKinds, isLarge, type MaybeText, placeholders, poison, product } from "./program.js"
import { type Call, type Element, type Run, SourceError, textsOf } from "./run.js"

type Problems = (holds: boolean, problem: () => string) => void

const isText = (text: MaybeText): text is string => typeof text === "string" && /\S/.test(text)

const shown = (text: MaybeText): string => {
  const json = JSON.stringify(text) ?? "undefined"
  return json.length > 60 ? `${json.slice(0, 60)}… (${json.length})` : json
}

const mark = "[de] "

const plain: { readonly [accented: string]: string } = Object.fromEntries(
  [..."åçéîñöûýÅÇÉÎÑÖÛÝ"].map((letter, index) => [letter, "aceinouyACEINOUY"[index]!])
)

/** A text without what the pseudo-translation adds, wherever it was cut. */
const folded = (text: string): string =>
  text.replaceAll(mark, "").replace(/[åçéîñöûýÅÇÉÎÑÖÛÝ]/g, (letter) => plain[letter]!)

const occurrences = (text: string, part: string): number => text.split(part).length - 1

/** Whether the program may cut texts that fit into a request. */
const mayShrink = ({ program }: Run): boolean => program.faults.some(({ name }) => name.startsWith("413"))

/** Whether a text may be too large for a service of small bodies, and is not to be cut, or hardly. */
const mayNotShrink = ({ program: { options } }: Run, text: string): boolean =>
  text.length > 300 && (options.oversized === "fail" || (options.segmentContext ?? 0) > 0)

const mayBeCut = (run: Run, text: string): boolean => isLarge(text) || mayShrink(run)

/** What is wrong with a translation, if anything is. */
const wrong = (run: Run, text: string, translation: string): string | undefined => {
  const { placeholders: kept } = run.program.options
  if (kept === undefined && translation === PseudoTranslation.translate(text, "de")) return undefined
  const marks = occurrences(translation, mark)
  if (marks === 0 || !translation.trimStart().startsWith(mark)) return "is no translation"
  if (/[\ud800-\udbff]\[de\] [\udc00-\udfff]/.test(translation)) return "was cut within a character"
  if (!mayBeCut(run, text) && marks > 1) return `was cut into ${marks}`
  if (folded(translation) !== folded(text)) return "is of another text, or not whole"
  if (kept === undefined) return marks === 1 && !mayBeCut(run, text) ? "is not as predicted" : undefined
  const lost = [...placeholders, product].find(
    (each) => occurrences(translation, each) !== occurrences(text, each)
  )
  return lost === undefined ? undefined : `lost ${lost}`
}

/** Errors that end a job, as all later requests would meet them too. */
const isFatal = (tag: string): boolean =>
  [
    "Unauthorized",
    "QuotaExceeded",
    "NotFound",
    "UnsupportedMediaType",
    "UriTooLong",
    "InvalidRequest"
  ].includes(tag)

export const failureOf = (run: Run): Outcome.StreamError | SourceError | undefined =>
  run.exit._tag === "Failure" ? Option.getOrUndefined(Cause.failureOption(run.exit.cause)) : undefined

export const errorOf = ({ exit }: Call): TranslateError.TranslateError | undefined =>
  exit?._tag === "Failure" ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined

/** Whether a text may have failed so. */
const isExpected = (run: Run, text: string, error: Outcome.StreamError): boolean => {
  const { budget, faults, maxConcurrent, options, quota } = run.program
  const ending = failureOf(run)
  if (error === ending) return true
  // What fails for all ends the run, unless it was cut before.
  const isOver = run.isCut || (ending !== undefined && !(ending instanceof SourceError))
  const isScripted = faults.some(({ name }) => faultKinds[name]!.causes.includes(error._tag))
  switch (error._tag) {
    case "InvalidRequest":
      return options.oversized === "fail" && isLarge(text)
    case "TranslationRefused":
      return text.includes(eaten) && options.placeholders !== undefined
    case "PayloadTooLarge":
      return faults.some(({ name }) => name === "413") || isOver || (isScripted && mayNotShrink(run, text))
    case "BudgetExceeded":
      return budget !== undefined && isOver
    case "QuotaExceeded":
      return (quota !== undefined || isScripted) && isOver
    case "Unauthorized":
    case "NotFound":
      return isScripted && isOver
    case "BadRequest":
      return isScripted || text.includes(poison) || isOver
    case "RateLimited":
      return isScripted || maxConcurrent !== undefined
    default:
      return isScripted
  }
}

const checkOutcome = (run: Run, outcome: Outcome.Outcome<Element>, check: Problems) => {
  const { program } = run
  const texts = textsOf(outcome.source)
  const values = new Map(textsOf(outcome.value))
  const failures = new Map(Outcome.isFailed(outcome) ? outcome.failures.map((f) => [f.field, f.error]) : [])
  const { cached, failed, skipped, translated } = outcome.texts
  const blanks = texts.filter(([, text]) => !isText(text)).length
  const where = () => `the outcome of ${shown(JSON.stringify(outcome.source))}`

  check(skipped === blanks, () => `${where()} has ${skipped} skipped texts, not ${blanks}`)
  check(failed === failures.size, () => `${where()} has ${failed} failed texts and ${failures.size} failures`)
  check(translated + cached + skipped + failed === texts.length, () => `${where()} does not add up`)
  check(cached === 0 || program.options.dedupe !== undefined, () => `${where()} has cached texts`)
  const tag = failed > 0 ? "Failed" : translated > 0 ? "Translated" : cached > 0 ? "Cached" : "Skipped"
  check(outcome._tag === tag, () => `${where()} is ${outcome._tag}, not ${tag}`)
  check(values.size === texts.length, () => `${where()} has ${values.size} texts`)

  let paid = 0
  texts.forEach(([field, text], index) => {
    const value = values.get(field)
    const error = failures.get(field)
    const translation = "translations" in outcome ? outcome.translations[index] : undefined
    if (!isText(text) || error !== undefined) {
      check(value === text, () => `${where()}: ${shown(text)} became ${shown(value)} without a translation`)
      check(translation === undefined, () => `${where()} has a translation of ${shown(text)}`)
      check(error === undefined || isText(text), () => `${where()}: a blank failed with ${error!._tag}`)
      if (error !== undefined && isText(text)) {
        check(isExpected(run, text, error), () => `${shown(text)} failed: ${error._tag}: ${error.message}`)
      }
      return
    }
    paid += TranslateClient.characters(text.trim())
    check(translation?.text === value, () => `${where()}: the translation of ${shown(text)} is not its value`)
    const problem = wrong(run, text, value ?? "")
    check(problem === undefined, () => `${shown(value)} ${problem}: the text is ${shown(text)}`)
  })

  const { ambiguousCharacters, characters } = outcome.cost
  if (
    cached === 0 &&
    program.options.placeholders === undefined &&
    !texts.some(([, text]) => isText(text) && mayBeCut(run, text))
  ) {
    check(characters === paid, () => `${where()} cost ${characters}, not ${paid}`)
  }
  check(
    (outcome._tag !== "Cached" && outcome._tag !== "Skipped") ||
      (characters === 0 && ambiguousCharacters === 0),
    () => `${where()} is ${outcome._tag} and cost ${characters}, ${ambiguousCharacters}`
  )
  check(
    ambiguousCharacters === 0 || program.faults.some(({ name }) => faultKinds[name]!.isAmbiguous),
    () => `${where()} is in doubt for ${ambiguousCharacters}`
  )
}

const checkOrder = ({ elements, isCut, outcomes, program, pulled }: Run, check: Problems) => {
  check(outcomes.length <= pulled, () => `${outcomes.length} outcomes of ${pulled} elements`)
  check(isCut || outcomes.length === pulled, () => `${outcomes.length} outcomes, ${pulled} pulled`)
  if (program.options.unordered === true) {
    const left = new Map<Element, number>()
    for (const element of elements.slice(0, pulled)) left.set(element, (left.get(element) ?? 0) + 1)
    for (const { source } of outcomes) left.set(source, (left.get(source) ?? 0) - 1)
    check(
      [...left.values()].every((count) => count >= 0 && (isCut || count === 0)),
      () => "an element has no outcome, or several"
    )
  } else {
    const first = outcomes.findIndex(({ source }, index) => source !== elements[index])
    check(first === -1, () => `outcome ${first} is of another element`)
  }
}

const sum = <A>(items: ReadonlyArray<A>, of: (item: A) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

/** What a call cost for sure, and in doubt. */
const costOf = ({ characters, exit }: Call): readonly [number, number] => {
  if (exit === undefined || (exit._tag === "Failure" && Cause.isInterrupted(exit.cause))) return [0, 0]
  if (exit._tag === "Success") {
    const billed = sum(exit.value.translations, ({ billedCharacters }) => billedCharacters!)
    return [billed, exit.value.ambiguousAttempts * characters]
  }
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  return [0, (error?.ambiguousAttempts ?? 0) * characters]
}

const isInterrupted = ({ exit }: Call): boolean =>
  exit === undefined || (exit._tag === "Failure" && Cause.isInterrupted(exit.cause))

const checkCost = (run: Run, check: Problems) => {
  const { budget, calls, isCut, meter, outcomes, program } = run
  const billed = meter.characters
  const paid = sum(outcomes, ({ cost }) => cost.characters)
  const inDoubt = sum(outcomes, ({ cost }) => cost.ambiguousCharacters)
  const called = sum(calls, (call) => costOf(call)[0])
  const calledInDoubt = sum(calls, (call) => costOf(call)[1])
  const inFlight = isCut
    ? sum(calls.filter(isInterrupted), ({ characters, requests }) => characters * requests)
    : 0

  check(paid <= billed, () => `the outcomes cost ${paid}, billed are ${billed}`)
  check(
    isCut || (paid === called && inDoubt === calledInDoubt),
    () => `the outcomes cost ${paid} + ${inDoubt}, the calls ${called} + ${calledInDoubt}`
  )
  check(
    billed <= called + calledInDoubt + inFlight,
    () => `billed are ${billed}, the calls cost ${called} + ${calledInDoubt} + ${inFlight}`
  )
  check(
    isCut || billed <= paid + inDoubt,
    () => `billed are ${billed}, the outcomes cost ${paid} + ${inDoubt}`
  )
  check(run.overdrawn === 0, () => `${run.overdrawn} times more was spent than had been held`)
  if (program.progress) {
    const { ambiguousCharacters, characters, inFlight, requests } = run.progress
    const most = characters + ambiguousCharacters + inFlight.characters
    check(billed <= most, () => `billed are ${billed}, the progress knows of ${most}`)
    check(
      isCut ||
        (characters === paid &&
          ambiguousCharacters === inDoubt &&
          inFlight.texts === 0 &&
          inFlight.characters === 0 &&
          requests === run.requests),
      () => `the progress is ${JSON.stringify(run.progress)}`
    )
    // Those that were not taken any more have left the stream too.
    const told = outcomes.reduce(Outcome.add, Outcome.zero)
    const kinds = ["translated", "cached", "skipped", "failed"] as const
    check(
      kinds.every((kind) => (isCut ? told[kind] <= run.progress[kind] : told[kind] === run.progress[kind])),
      () => `the outcomes are ${JSON.stringify(told)}, the progress is ${JSON.stringify(run.progress)}`
    )
  }
  if (budget === undefined) return
  const { cap, reserved, spent } = budget
  check(billed <= cap, () => `billed are ${billed}, the budget is ${cap}`)
  check(spent + reserved <= cap, () => `${spent} are spent and ${reserved} held, the budget is ${cap}`)
  check(billed <= spent + reserved, () => `billed are ${billed}, the budget knows of ${spent} + ${reserved}`)
  check(
    isCut || (reserved === 0 && spent === called + calledInDoubt),
    () => `the budget has ${spent} spent and ${reserved} held, the calls cost ${called} + ${calledInDoubt}`
  )
}

/** Whether an error of this tag may be one of an outage. */
const isOfOutage = (tag: string): boolean =>
  ["TransportError", "TimedOut", "UndecodableResponse", "ServerError"].includes(tag)

/** Whether a call was sent again as often as the policy says, and not more often. */
const checkAttempts = ({ calls, isCut, program }: Run, ending: unknown, check: Problems) => {
  const { ambiguousBudget = 10, ambiguousBudgetPerSuccess = 0.1, maxAttempts } = program.policy
  let repeatedInDoubt = 0
  let succeeded = 0
  for (const call of calls) {
    const error = errorOf(call)
    if (call.exit?._tag === "Success") {
      succeeded++
      repeatedInDoubt += call.exit.value.ambiguousAttempts
    }
    if (error === undefined) continue
    const isInDoubt = error.delivery === "ambiguous"
    repeatedInDoubt += error.ambiguousAttempts - (isInDoubt ? 1 : 0)
    // An outage is sat out, however many attempts it takes, and whatever becomes of the last.
    check(
      error.attempts <= maxAttempts ||
        program.faults.some(({ name }) => faultKinds[name]!.causes.some(isOfOutage)),
      () => `${error.attempts} attempts, ${maxAttempts} at most`
    )
    const isPatient =
      "retryAfter" in error && error.retryAfter !== undefined && Duration.toSeconds(error.retryAfter) > 0.3
    // The texts of a request that the service fails with twice are sent in others.
    const isDivided = error._tag === "ServerError" && isInDoubt
    const isLimited = isDivided || (isInDoubt && (ambiguousBudget < 1000 || program.budget !== undefined))
    check(
      error.attempts >= maxAttempts ||
        !error.isRetryable ||
        isPatient ||
        isLimited ||
        isCut ||
        ending !== undefined,
      () => `${error._tag} after ${error.attempts} attempts of ${maxAttempts}`
    )
  }
  check(
    repeatedInDoubt < ambiguousBudget + ambiguousBudgetPerSuccess * succeeded + 1,
    () => `${repeatedInDoubt} repeated in doubt, ${succeeded} calls succeeded`
  )
}

const mostRefused = 12

/** Calls that wait to be sent again, and whose places others have. */
const mostParked = 8

/** Requests that have timed out, or were cut, are none any more to the client, but may be to the service. */
const overlaps = ({ faults }: Run["program"]): boolean => faults.some(({ name }) => /slow|cut/.test(name))

const checkCalls = (run: Run, check: Problems) => {
  const { calls, isCut, late, program, requests } = run
  const { concurrency = 8, dedupe } = program.options
  const accepted = Math.min(...calls.map(({ end, exit }) => (exit?._tag === "Success" ? end : Infinity)))
  check(
    calls.every(({ inFlight, start }) => inFlight <= (start < accepted ? 1 : concurrency) + mostParked),
    () => "too many calls at once"
  )
  check(
    isCut || overlaps(program) || run.meter.maxConcurrent <= concurrency,
    () => `${run.meter.maxConcurrent} requests at once`
  )
  const refused = calls.filter(
    (call) => call.end < accepted && /BadRequest|UnexpectedStatus/.test(errorOf(call)?._tag ?? "")
  )
  check(refused.length <= mostRefused, () => `${refused.length} refused before any succeeded`)

  const firstFatal = Math.min(
    ...calls.map((call) => (isFatal(errorOf(call)?._tag ?? "") ? call.end : Infinity))
  )
  const after = calls.filter(({ start }) => start > firstFatal)
  // A restless runtime turns to other workers before the stream hears of it.
  check(
    after.length <= (program.yields > 0 ? concurrency : 0),
    () => `${after.length} calls after one that ends the job`
  )
  check(late === 0, () => `${late} requests after the end`)
  const attempts = sum(calls, ({ exit }) =>
    exit?._tag === "Success" ? exit.value.attempts : exit === undefined ? 0 : (attemptsOf(exit.cause) ?? 0)
  )
  check(
    isCut || attempts === requests,
    () => `${requests} requests were sent, the calls tell of ${attempts} attempts`
  )

  if (dedupe !== true || mayShrink(run)) return
  const sent = new Map<string, number>()
  for (const { exit, texts } of calls) {
    if (exit?._tag === "Success") for (const text of texts) sent.set(text, (sent.get(text) ?? 0) + 1)
  }
  for (const text of new Set(run.elements.flatMap((element) => textsOf(element).map(([, text]) => text)))) {
    const times = isText(text) && !isLarge(text) && !text.includes(eaten) ? (sent.get(text.trim()) ?? 0) : 0
    check(times <= 1, () => `${shown(text)} was translated ${times} times`)
  }
}

const attemptsOf = (cause: Cause.Cause<TranslateError.TranslateError>): number | undefined =>
  Option.getOrUndefined(Cause.failureOption(cause))?.attempts

const checkEnd = (run: Run, check: Problems) => {
  const { calls, elements, exit, isCut, program, pulled } = run
  check(
    run.closed === run.opened && run.opened <= 1,
    () => `opened ${run.opened} times, closed ${run.closed}`
  )
  check(!isCut || run.milliseconds < 5000, () => `it took ${run.milliseconds} ms to be interrupted`)
  if (isCut) return
  const errors: ReadonlyArray<Outcome.StreamError | undefined> = calls.map(errorOf)
  const fatal = errors.filter((error) => error !== undefined && isFatal(error._tag))
  const ending = failureOf(run)
  check(
    exit._tag === "Success" || ending !== undefined,
    () => `it ended with ${exit._tag === "Failure" ? Cause.pretty(exit.cause) : ""}`
  )
  // The budget may end the job while a call is in flight that would have ended it.
  if (fatal.length > 0 && ending?._tag !== "BudgetExceeded")
    check(
      fatal.some((error) => error === ending),
      () => `it ended with ${ending?._tag}, not ${fatal[0]!._tag}`
    )
  if (ending === undefined || ending instanceof SourceError) {
    check(pulled === elements.length, () => `${pulled} of ${elements.length} elements were pulled`)
    check((ending === undefined) !== program.sourceFails, () => "the source's error is lost, or invented")
  } else if (ending._tag === "BudgetExceeded") {
    check(program.budget !== undefined, () => "there is no budget")
  } else {
    const isRefused = ending._tag === "BadRequest" || ending._tag === "UnexpectedStatus"
    check(errors.includes(ending), () => `no call failed with the ${ending._tag} of the end`)
    check(isRefused || isFatal(ending._tag), () => `it ended with ${ending._tag}`)
    check(
      !isRefused ||
        errors.filter((error) => error?._tag === "BadRequest" || error?._tag === "UnexpectedStatus")
          .length === mostRefused,
      () => `it ended with ${ending._tag} too soon`
    )
    check(
      !isRefused || calls.every(({ exit }) => exit?._tag !== "Success"),
      () => `it ended with ${ending._tag} after a success`
    )
  }
}

/** What is wrong with a run: nothing, if all is well. */
export const problems = (run: Run): ReadonlyArray<string> => {
  const found: Array<string> = []
  const check: Problems = (holds, problem) => {
    if (!holds) found.push(problem())
  }
  checkOrder(run, check)
  for (const outcome of run.outcomes) checkOutcome(run, outcome, check)
  checkCost(run, check)
  checkCalls(run, check)
  checkAttempts(run, failureOf(run), check)
  checkEnd(run, check)
  return found
}
