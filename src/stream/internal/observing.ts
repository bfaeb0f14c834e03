import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Text from "../../api/Text.js"
import type * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import type * as Progress from "../Progress.js"
import type { Answer } from "./answer.js"

type Sending = Effect.Effect<Answer, TranslateError.TranslateError>

export const charactersOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + Text.characters(text), 0)

export const billed = (texts: ReadonlyArray<string>, { translations }: Answer): number =>
  translations.reduce(
    (sum, { billedCharacters }, index) => sum + (billedCharacters ?? Text.characters(texts[index] ?? "")),
    0
  )

/** Tells an observer of a batch. One that is interrupted stays in flight. */
const counted = (observer: Progress.Observer, texts: ReadonlyArray<string>, send: Sending): Sending =>
  Effect.flatMap(CallHooks, (hooks) => {
    const { mayRepeat = Effect.succeed(true) } = hooks
    const size = charactersOf(texts)
    const batch = observer.sent(texts.length, size)
    const repeats = Effect.tap(mayRepeat, (isAllowed) =>
      isAllowed ? Effect.sync(batch.repeated) : Effect.void
    )
    return Effect.matchCauseEffect(Effect.provideService(send, CallHooks, { ...hooks, mayRepeat: repeats }), {
      onSuccess: (answer) => {
        batch.ended(answer.attempts, {
          characters: billed(texts, answer),
          ambiguousCharacters: answer.ambiguousAttempts * size
        })
        return Effect.succeed(answer)
      },
      onFailure: (cause) => {
        const error = Option.getOrUndefined(Cause.failureOption(cause))
        batch.ended(
          error?.attempts ?? 0,
          { characters: 0, ambiguousCharacters: (error?.ambiguousAttempts ?? 0) * size },
          error?._tag ?? "Interrupted"
        )
        return Effect.failCause(cause)
      }
    })
  })

/** Counts and languages in the span of a batch, never a text. */
const traced = (
  { sourceLang, targetLang }: Progress.Languages,
  texts: ReadonlyArray<string>,
  send: Sending
): Sending =>
  send.pipe(
    Effect.tap((answer) =>
      Effect.annotateCurrentSpan({
        "translate.requests": answer.attempts,
        "translate.billed_characters": billed(texts, answer)
      })
    ),
    Effect.withSpan("effect-translate.batch", {
      attributes: {
        "translate.texts": texts.length,
        "translate.characters": charactersOf(texts),
        ...(sourceLang === undefined ? {} : { "translate.source_lang": sourceLang }),
        ...(targetLang === undefined ? {} : { "translate.target_lang": targetLang })
      }
    })
  )

/** Tells of each batch that is sent: to an observer, and in a span if somebody collects these. */
export const observed = (
  observer: Progress.Observer | undefined,
  languages: Progress.Languages | undefined
): ((texts: ReadonlyArray<string>, send: Sending) => Sending) => {
  if (observer === undefined && languages === undefined) return (_, send) => send
  return (texts, send) => {
    const sent = observer === undefined ? send : counted(observer, texts, send)
    return languages === undefined ? sent : traced(languages, texts, sent)
  }
}
