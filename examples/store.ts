/** How do corrections of people get into a store, how is a store moved, and what does it hold? */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, DateTime, Effect, Layer, Stream } from "effect"
import { Outcome, TranslateStream, TranslationStore, Translator } from "effect-translate"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { NodeProgram } from "effect-translate/node"
import { StoreExchange } from "effect-translate/store"

const translate = (store: TranslationStore.Service) =>
  Stream.make("Mug", "Teapot").pipe(
    TranslateStream.translate({ sourceLang: "en", targetLang: "de", store }),
    Stream.runForEach((outcome) =>
      Outcome.isFailed(outcome)
        ? Effect.fail(outcome.failures[0].error)
        : Console.log(`${outcome.value}: ${outcome.cost.characters} characters`)
    )
  )

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const store = yield* TranslationStore.TranslationStore
  yield* translate(store)

  const at = yield* DateTime.now
  yield* store.correct([{ source: "Mug", translation: "Becher", targetLang: "de", at }])
  yield* translate(store)

  yield* StoreExchange.exportAll(store).pipe(StoreExchange.tmx.encode, Stream.run(fs.sink("store.tmx")))

  const other = yield* TranslationStore.makeMemory()
  const counts = yield* fs
    .stream("store.tmx")
    .pipe(StoreExchange.tmx.decode({ file: "store.tmx" }), StoreExchange.importAll(other))
  yield* Console.log(`moved: ${counts.entries} translations and ${counts.corrections} correction`)
  yield* translate(other)

  const { attempts, corrections, translations } = yield* store.stats
  yield* Console.log(
    `${translations} translations, ${corrections} correction; ${attempts.answered.attempts} request answered, ${attempts.unknown.attempts + attempts.expired.attempts} in doubt`
  )
})

program.pipe(
  Effect.provide([
    Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(LibsqlTranslationStore.layer({ file: "translations.db" }), NodeContext.layer)
  ]),
  NodeProgram.runMain // broken off, it does not end with 0
)
