/** The store of a job is removed or replaced while the job runs. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslationStore } from "effect-translate"
import { TranslationJob } from "effect-translate/jobs"
import { StoreError } from "effect-translate/store"
import { many, table, withService } from "./jobs.js"

it.live(
  "a job whose store was replaced says that its translations are not stored, and names the characters",
  () =>
    Effect.gen(function* () {
      const inner = yield* TranslationStore.makeMemory()
      let claims = 0
      const store: TranslationStore.Service = {
        ...inner,
        open: (namespace, options) =>
          Effect.map(inner.open(namespace, options), (session) => ({
            ...session!,
            claim: (texts, characters) =>
              claims++ === 0
                ? session!.claim(texts, characters)
                : Effect.fail(new StoreError.StoreReplaced({ store: "store.db" }))
          }))
      }
      const ends: Array<string> = []
      yield* TranslationJob.run({
        sources: [table(many(200)).source],
        targets: ["de"],
        onEnd: ({ end }) => Effect.sync(() => ends.push(end.next))
      }).pipe(Effect.provideService(TranslationStore.TranslationStore, store), Effect.exit)
      expect(ends[0]).toContain(
        "what this job has translated (140 characters) is not in the store that is there now"
      )
      expect(ends[0]).not.toContain("not paid for again")
    }).pipe(withService())
)
