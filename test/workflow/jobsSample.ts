/** Jobs in all states, for pictures of the page. */
import * as DateTime from "effect/DateTime"
import type * as CorpusJob from "../../src/workflow/CorpusJob.js"
import * as fakeControl from "./fakeControl.js"

const texts = (targetLang: string, translated: number, failed = 0, cached = 0, skipped = 0) => ({
  targetLang,
  translated,
  cached,
  skipped,
  failed
})

/** The last is the newest. */
export const fill = (fake: fakeControl.Fake, now = Date.now()): void => {
  const ago = (minutes: number) => DateTime.unsafeMake(now - minutes * 60_000)
  const add = (
    id: string,
    targets: CorpusJob.CorpusJob["targets"],
    more: Partial<CorpusJob.Status>,
    job: Partial<CorpusJob.CorpusJob> = {}
  ) =>
    fake.jobs.set(
      id,
      fakeControl.statusOf(fakeControl.job(id, { targets, pricePerMillion: 20, ...job }), {
        submittedAt: ago(300),
        ...(more.state === "submitted" ? {} : { startedAt: ago(299) }),
        ...more
      })
    )
  const cost = (least: number, most = least) => ({
    characters: { least, most },
    cost: { least: least / 50_000, most: most / 50_000 }
  })
  add("release-notes-2025", ["de", "fr", "ja"], {
    state: "done",
    endedAt: ago(240),
    progress: { texts: 8214, totalTexts: 8214, outputs: 96, totalOutputs: 96 },
    targets: [texts("de", 7900, 0, 314), texts("fr", 7898, 2, 314), texts("ja", 7897, 3, 314)],
    ...cost(1_204_551)
  })
  add("import-legacy", ["de"], {
    state: "failed",
    endedAt: ago(100),
    error: {
      tag: "InvalidReference",
      message: "The corpus of the job can't be read: /data/legacy does not exist."
    },
    progress: { texts: 0, outputs: 0 }
  })
  add("draft-manual", ["es", "it"], {
    state: "cancelled",
    endedAt: ago(80),
    progress: { texts: 1200, totalTexts: 44_000, outputs: 0, totalOutputs: 30 },
    targets: [texts("es", 1200), texts("it", 1196, 4)],
    ...cost(301_223, 303_000)
  })
  add("legal-2026", ["de", "fr", "es", "it", "nl", "pl", "pt-PT", "ja", "zh", "ko"], {
    state: "waiting",
    waiting: { reason: "quota", until: DateTime.unsafeMake(now + 8 * 86_400_000) },
    progress: { texts: 61_000, totalTexts: 240_000, outputs: 0, totalOutputs: 1200 },
    ...cost(9_120_400)
  })
  add("help-center", ["fr", "ja"], {
    generation: 3,
    state: "paused",
    progress: { texts: 15_400, totalTexts: 20_112, outputs: 0, totalOutputs: 412 },
    targets: [texts("fr", 9000, 0, 6400), texts("ja", 9000, 0, 6400)],
    ...cost(2_410_020, 2_415_900)
  })
  add("product-catalogue", ["de", "fr", "es", "ja"], {
    state: "running",
    progress: { texts: 418_350, totalTexts: 1_000_000, outputs: 0, totalOutputs: 16 },
    targets: [
      texts("de", 401_200, 8, 17_142),
      texts("fr", 401_200, 3, 17_147),
      texts("es", 401_200, 0, 17_150),
      texts("ja", 401_150, 27, 17_173)
    ],
    ...cost(58_120_400, 58_164_000)
  })
  add("support-articles", ["de"], { state: "submitted", submittedAt: ago(1) })
  const reasons = [
    ["PlaceholderLost", "1 of 2 is missing: {price}. Keep the source, or translate it by hand."],
    ["TranslationRefused", "The service has refused the text: it is longer than what it takes."]
  ] as const
  fake.failures.set(
    "product-catalogue",
    Array.from({ length: 38 }, (_, index) => {
      const [tag, message] = reasons[index % 5 === 4 ? 1 : 0]!
      return {
        source: `catalogue/part-${(index % 4) + 1}.jsonl`,
        targetLang: index < 27 ? "ja" : index < 35 ? "de" : "fr",
        key: `items.${48_201 + index * 317}.description`,
        line: 4820 + index * 31,
        tag,
        message
      }
    })
  )
  fake.workers.push(
    ...(["10.0.4.11:34101", "10.0.4.12:34101", "10.0.4.13:34101", "10.0.4.14:34101"] as const).map(
      (address, index) => ({
        address,
        version: "0.1.0",
        startedAt: ago([311, 311, 42, 290][index]!),
        seenAt: ago(index === 3 ? 2 : 0.02),
        inFlight: [8, 7, 2, 0][index]!,
        state: (["running", "running", "draining", "lost"] as const)[index]!
      })
    )
  )
}
