import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type TranslateClient, type TranslateError, Translator } from "effect-translate"

/** A translator that writes the target in front of each text, fails what a test wants, and keeps what it was asked. */
export const marking = (
  fails: (texts: ReadonlyArray<string>) => TranslateError.CallError | undefined = () => undefined,
  answer: (text: string, targetLang: string) => string = (text, targetLang) => `${targetLang}: ${text}`
) => {
  const requests: Array<{ readonly texts: ReadonlyArray<string>; readonly context: string | undefined }> = []
  let identified = 0
  const service = Translator.Translator.of({
    identify: () =>
      Effect.sync(() => {
        identified++
        return { service: "test", account: "test" }
      }),
    translate: (texts, { context, targetLang }) =>
      Effect.suspend(() => {
        requests.push({ texts, context })
        const error = fails(texts)
        return error === undefined
          ? Effect.succeed({
              translations: texts.map((text) => ({ text: answer(text, targetLang) })),
              attempts: 1,
              ambiguousAttempts: 0
            } as unknown as TranslateClient.Translated)
          : Effect.fail(error)
      })
  })
  return {
    requests,
    /** How often it was asked what its answers depend on. */
    identified: () => identified,
    /** All texts that were sent, in their order. */
    sent: () => requests.flatMap(({ texts }) => texts),
    provide: Effect.provideService(Translator.Translator, service)
  }
}

const encoder = new TextEncoder()

/** The bytes of a file, in pieces. */
export const file = (text: string, size = 7): Stream.Stream<Uint8Array> => {
  const bytes = encoder.encode(text)
  return Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size)
    )
  ).pipe(Stream.rechunk(1))
}

/** The text of bytes. */
export const text = <E, R>(self: Stream.Stream<Uint8Array, E, R>): Effect.Effect<string, E, R> =>
  Effect.map(Stream.runCollect(self), (pieces) =>
    Buffer.concat(Chunk.toReadonlyArray(pieces) as Array<Uint8Array>).toString("utf8")
  )
