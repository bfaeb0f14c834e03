/** The content of translation memories: from TMX, as TMX, and as matches of texts. */
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as TranslationMemory from "../../api/TranslationMemory.js"
import type * as Format from "../../format/Format.js"
import * as Tmx from "../../format/Tmx.js"
import { concat } from "../../internal/bytes.js"

/** A memory with its segments. */
export interface Stored {
  readonly memory: TranslationMemory.TranslationMemory
  readonly segments: ReadonlyArray<TranslationMemory.Segment>
}

const isOf = (language: string) => (other: string) => LanguageCode.base(other) === LanguageCode.base(language)

/** The memory of a TMX file, and how many of its units have no text in the language of the first one. */
export const read = (
  bytes: Uint8Array,
  { name, translationMemoryId }: { readonly name: string; readonly translationMemoryId: string }
): Effect.Effect<Stored & { readonly skipped: number }, Format.FormatError> =>
  Effect.gen(function* () {
    const entries = Chunk.toReadonlyArray(
      yield* Stream.make(bytes).pipe(Tmx.decode({ file: "the file" }), Stream.runCollect)
    )
    const now = yield* DateTime.now
    const [first] = entries
    const sourceLanguage = LanguageCode.canonical(
      first?.sourceLang ?? Object.keys(first?.texts ?? {})[0] ?? "en"
    )
    const segments: Array<TranslationMemory.Segment> = []
    for (const { created, texts } of entries) {
      const languages = Object.keys(texts)
      const source = languages.find(isOf(sourceLanguage))
      if (source === undefined) continue
      const creationTime = created === undefined ? now : DateTime.unsafeMake(created)
      const id = `${translationMemoryId}.${segments.length}`
      segments.push({
        sourceSegmentId: id,
        sourceText: texts[source]!,
        creationTime,
        targets: languages
          .filter((language) => language !== source)
          .map((language) => ({
            targetSegmentId: `${id}.${language}`,
            targetLanguage: LanguageCode.canonical(language),
            targetText: texts[language]!,
            creationTime
          }))
      })
    }
    const targetLanguages = segments.flatMap(({ targets }) =>
      targets.flatMap(({ targetLanguage = [] }) => targetLanguage)
    )
    return {
      memory: {
        translationMemoryId,
        name,
        sourceLanguage,
        targetLanguages: Array.from(new Set(targetLanguages)),
        segmentCount: segments.length,
        creationTime: now,
        updatedTime: now
      },
      segments,
      skipped: entries.length - segments.length
    }
  })

/** The TMX file of a memory. */
export const write = ({ memory, segments }: Stored): Effect.Effect<Uint8Array, Format.FormatError> => {
  const { sourceLanguage = "en" } = memory
  return Stream.fromIterable(segments).pipe(
    Stream.map(({ creationTime, sourceText, targets }) => ({
      texts: Object.fromEntries([
        [sourceLanguage, sourceText],
        ...targets.map(({ targetLanguage, targetText }) => [targetLanguage, targetText])
      ]),
      sourceLang: sourceLanguage,
      ...(creationTime && { created: DateTime.toDateUtc(creationTime) })
    })),
    Tmx.encode({ sourceLang: sourceLanguage }),
    Stream.runCollect,
    Effect.map((pieces) => concat(Chunk.toReadonlyArray(pieces)))
  )
}

/** True if a memory is for a pair of languages, as far as the pair is known. */
export const isForPair = (
  { sourceLanguage, targetLanguages }: TranslationMemory.TranslationMemory,
  { sourceLang, targetLang }: { readonly sourceLang?: string | undefined; readonly targetLang: string }
): boolean =>
  (sourceLang === undefined || sourceLanguage === undefined || isOf(sourceLanguage)(sourceLang)) &&
  (targetLanguages === undefined || targetLanguages.some(isOf(targetLang)))

/** The translations of texts that a memory holds as they are: in the language itself, or else in another variant of it. */
export const matches = ({ segments }: Stored, targetLang: string): ReadonlyMap<string, string> => {
  const exact = new Map<string, string>()
  const others = new Map<string, string>()
  for (const { sourceText, targets } of segments) {
    for (const { targetLanguage, targetText } of targets) {
      if (targetLanguage === LanguageCode.canonical(targetLang)) exact.set(sourceText, targetText)
      else if (targetLanguage !== undefined && isOf(targetLang)(targetLanguage))
        others.set(sourceText, targetText)
    }
  }
  return new Map([...others, ...exact])
}
