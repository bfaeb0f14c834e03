import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TranslationStore } from "effect-translate"
import { StoreError } from "effect-translate/store"
import * as fc from "fast-check"
import * as inMemoryBackend from "../../src/store/internal/inMemoryBackend.js"
import type { Backend } from "../../src/store/StoreBackend.js"
import { runs } from "../support/long.js"
import { openStore } from "../support/openStore.js"

const german: TranslationStore.Namespace = {
  endpoint: "POST /v2/translate",
  service: "https://service.test",
  account: "account",
  targetLang: "de",
  settings: "{}"
}

const gone = new StoreError.StoreUnavailable({ store: "test.db", code: "SQLITE_BUSY" })

/** A store in memory whose backend can be changed, and which notes the names of the functions that are asked. */
const noted = (change?: (backend: Backend) => Partial<Backend>) => {
  const backend = inMemoryBackend.make({})
  const asked: Array<string> = []
  const changed = { ...backend, ...change?.(backend) }
  const noting = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name,
      typeof value !== "function"
        ? value
        : (...args: ReadonlyArray<unknown>) => {
            asked.push(name)
            return (value as (...args: ReadonlyArray<unknown>) => unknown)(...args)
          }
    ])
  ) as unknown as Backend
  return Effect.map(TranslationStore.make(noting), (store) => ({ store, asked }))
}

const resultOf = (text: string, translation: string | undefined = `${text}!`) => ({
  text,
  translation: { text: translation }
})

const failed = (text: string) => ({ text, translation: undefined })

const statesOf = (store: TranslationStore.Service) =>
  Effect.map(Stream.runCollect(store.attempts), (attempts) =>
    Chunk.toReadonlyArray(attempts).map(({ state, texts }) => `${state} ${texts}`)
  )

const textsOf = (known: ReadonlyArray<{ readonly text: string } | undefined>) =>
  known.map((each) => each?.text)

/** Opens a session, and a function that closes it. */
const closable = (store: TranslationStore.Service) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const session = yield* Scope.extend(openStore(store, german), scope)
    return { session, close: Scope.close(scope, Exit.void) }
  })

describe("origins", () => {
  const french = { ...german, targetLang: "fr" }

  it.scoped("tells the machine's translation of a source from that of another one, and from a person's", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      yield* store.add([
        { source: "one", translation: { text: "Eins " }, namespace: german, at: DateTime.unsafeMake(0) },
        { source: "two", translation: { text: "Zwei" }, namespace: german, at: DateTime.unsafeMake(0) },
        { source: "three", translation: { text: "Trois" }, namespace: french, at: DateTime.unsafeMake(0) }
      ])
      const origins = store.origins(
        [
          { source: " one\n", translation: " Eins\n" },
          { source: "one", translation: "Zwei" },
          { source: "none", translation: "Zwei" },
          { source: "one", translation: "Ein" },
          { source: "three", translation: "Trois" }
        ],
        "DE"
      )
      expect(yield* origins).toEqual(["same", "other", "other", undefined, undefined])
      const texts = [" one ", "none", "three"]
      expect(yield* store.translationsOf(texts, "de")).toEqual([["Eins "], [], []])
      expect(yield* store.translationsOf(texts, "fr")).toEqual([[], [], ["Trois"]])
    })
  )

  it.scoped("are none in no store", () =>
    Effect.gen(function* () {
      const texts = [{ source: "one", translation: "Eins" }]
      expect(yield* TranslationStore.none.origins(texts, "de")).toEqual([undefined])
      expect(yield* TranslationStore.none.translationsOf(["one"], "de")).toEqual([[]])
    })
  )
})

describe("a session", () => {
  it.scoped("finds translations of its namespace, and none of another one", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const session = yield* openStore(store, german)
      expect(yield* session.lookUp(["one", "two"])).toEqual([undefined, undefined])
      yield* session.record([resultOf("one"), failed("two")])
      expect(textsOf(yield* session.lookUp(["two", "one", "one"]))).toEqual([undefined, "one!", "one!"])
      const again = yield* openStore(store, { ...german, sourceLang: undefined })
      expect(textsOf(yield* again.lookUp(["one"]))).toEqual(["one!"])
      const fields = ["endpoint", "service", "account", "sourceLang", "targetLang", "settings"] as const
      for (const field of fields) {
        const other = yield* openStore(store, { ...german, [field]: "other" })
        expect(yield* other.lookUp(["one"])).toEqual([undefined])
      }
    })
  )

  it.scoped("tells texts apart that UTF-8 would not", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const session = yield* openStore(store, german)
      yield* session.record([resultOf("a\uFFFD")])
      expect(yield* session.lookUp(["a\uD800", "a\uDC00", '"a\\ud800"'])).toEqual(Array(3).fill(undefined))
    })
  )

  it.scoped("waits a quarter of a second before it asks again, unless told otherwise", () =>
    Effect.gen(function* () {
      const session = yield* Effect.flatMap(TranslationStore.makeMemory(), (store) =>
        openStore(store, german)
      )
      expect(Duration.toMillis(session.pollInterval)).toBe(250)
      const store = yield* TranslationStore.makeMemory({ pollInterval: "1 second" })
      expect(Duration.toMillis((yield* openStore(store, german)).pollInterval)).toBe(1000)
    })
  )

  it.scoped("does not count translations from before the time of a refresh, and replaces them", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const first = yield* openStore(store, german)
      yield* first.record([resultOf("one", "old")])
      yield* TestClock.adjust("1 minute")
      const fresh = yield* openStore(store, german, { refreshBefore: yield* DateTime.now })
      expect(yield* fresh.lookUp(["one"])).toEqual([undefined])
      expect((yield* fresh.claim(["one"])).granted).toEqual([true])
      yield* fresh.record([resultOf("one", "new")])
      expect(textsOf(yield* fresh.lookUp(["one"]))).toEqual(["new"])
      expect(textsOf(yield* first.lookUp(["one"]))).toEqual(["new"])
    })
  )
})

describe("a translation that was refused", () => {
  const refused = (text: string) => ({
    text,
    translation: { text: "?", refusedBy: ["empty"] }
  })

  it.scoped("is found with the names of the checks, and is not sent again", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const session = yield* openStore(store, german)
      yield* session.record([refused("one")])
      expect(yield* session.lookUp(["one"])).toEqual([refused("one").translation])
      expect((yield* session.claim(["one"])).granted).toEqual([false])
    })
  )

  it.scoped("gives way to a session that asks again, unless it was refused since", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const first = yield* openStore(store, german)
      yield* first.record([refused("one"), refused("two"), resultOf("three", "Drei")])
      yield* TestClock.adjust("1 minute")
      const again = yield* openStore(store, german, { retryFailedBefore: yield* DateTime.now })
      expect(textsOf(yield* again.lookUp(["one", "three", "two"]))).toEqual([undefined, "Drei", undefined])
      expect((yield* again.claim(["one", "two"])).granted).toEqual([true, true])
      yield* again.record([resultOf("one", "Eins"), refused("two")])
      expect(yield* again.lookUp(["one", "two"])).toMatchObject([{ text: "Eins" }, { refusedBy: ["empty"] }])
      expect((yield* again.claim(["two"])).granted).toEqual([false])
    })
  )
})

const correction = (source: string, translation: string): TranslationStore.Correction => ({
  source,
  translation,
  targetLang: "de",
  at: DateTime.unsafeMake(0)
})

describe("a correction", () => {
  it.scoped("wins over the translation of the machine, whatever it was stored with", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const before = yield* openStore(store, german)
      yield* before.record([resultOf("one"), resultOf("two")])
      yield* store.correct([{ ...correction("one", "Eins"), targetLang: "DE" }])
      const after = yield* openStore(store, { ...german, settings: '{"formality":"more"}', targetLang: "De" })
      for (const session of [before, after]) {
        expect(textsOf(yield* session.lookUp(["one"]))).toEqual(["Eins"])
        yield* session.record([resultOf("one", "overwritten")])
        expect(textsOf(yield* session.lookUp(["one"]))).toEqual(["Eins"])
      }
      const told = yield* Stream.runCollect(store.corrections)
      expect(Array.from(told)).toMatchObject([{ source: "one", translation: "Eins", targetLang: "de" }])
    })
  )

  it.scoped("is not asked for where nobody has corrected anything into the language", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* noted()
      yield* store.correct([{ ...correction("one", "Un"), targetLang: "fr" }])
      const session = yield* openStore(store, german)
      yield* session.lookUp(["one"])
      expect(asked).not.toContain("findCorrections")
    })
  )
})

describe("corrections of texts", () => {
  it.scoped("are told without a session, by the languages and without the whitespace around a text", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* noted()
      const languages = { sourceLang: "EN", targetLang: "DE" }
      expect(yield* store.corrected(["one"], languages)).toEqual([undefined])
      expect(asked).not.toContain("findCorrections")
      yield* store.correct([
        correction(" one\n", "Eins "),
        { ...correction("two", "Zwei"), sourceLang: "en" },
        { ...correction("three", "Drei"), sourceLang: "fr" }
      ])
      expect(yield* store.corrected(["four", " one", "two", "three"], languages)).toEqual([
        undefined,
        "Eins",
        "Zwei",
        undefined
      ])
      expect(yield* store.corrected(["two"], { targetLang: "de" })).toEqual(["Zwei"])
      expect(yield* store.corrected(["two"], { sourceLang: "es", targetLang: "de" })).toEqual([undefined])
      yield* store.correct([
        { ...correction("one", "Uno"), sourceLang: "" },
        { ...correction("one", "Un"), sourceLang: undefined }
      ])
      expect(yield* store.corrected(["one"], { sourceLang: "", targetLang: "de" })).toEqual(["Un"])
      const many = Array.from({ length: 2500 }, (_, index) => `${index}`)
      expect(yield* store.corrected([...many, "one"], languages)).toHaveLength(2501)
    })
  )
})

describe("a claim", () => {
  it.scoped("is granted to one of thousands of sessions, and pays once", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* noted()
      const sessions = yield* Effect.replicateEffect(openStore(store, german), runs(10_000, 300))
      const claims = yield* Effect.forEach(sessions, ({ claim }) => claim(["one"]), {
        concurrency: "unbounded"
      })
      const granted = claims.flatMap((claim, index) => (claim.granted[0] === true ? [index] : []))
      expect(granted.length).toBe(1)
      expect(asked.filter((name) => name === "claim").length).toBe(1)
      const [winner] = granted as [number]
      const others = sessions.filter((_, index) => index !== winner)
      expect(yield* others[0]!.lookUp(["one"])).toEqual([undefined])
      expect(asked).not.toContain("find")
      claims[winner]!.ended("answered")
      yield* sessions[winner]!.record([resultOf("one")])
      const known = yield* Effect.forEach(others, ({ lookUp }) => lookUp(["one"]))
      expect(known.every(([found]) => found?.text === "one!")).toBe(true)
      expect(yield* statesOf(store)).toEqual(["answered 1"])
    })
  )

  it.scoped("is granted again in the same session, for parts of a text and for halves of a request", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const session = yield* openStore(store, german)
      expect((yield* session.claim(["one", "two", "one"])).granted).toEqual([true, true, true])
      expect((yield* session.claim(["one"])).granted).toEqual([true])
      expect(yield* statesOf(store)).toEqual(["inFlight 2", "inFlight 1"])
    })
  )

  it.scoped("is refused for translated texts, and noted for the rest", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const session = yield* openStore(store, german)
      yield* session.record([resultOf("one")])
      expect((yield* session.claim(["one", "two"])).granted).toEqual([false, true])
      const none = yield* session.claim(["one"])
      expect(none.granted).toEqual([false])
      expect(yield* none.maySend(0)).toBe(false)
      expect(yield* statesOf(store)).toEqual(["inFlight 1"])
    })
  )

  it.scoped("is given back when its result is stored, and not before", () =>
    Effect.gen(function* () {
      const committed = yield* Deferred.make<void>()
      const { store } = yield* noted((backend) => ({
        record: (recording) => Effect.zipRight(Deferred.await(committed), backend.record(recording))
      }))
      const [one, two] = yield* Effect.all([openStore(store, german), openStore(store, german)])
      const claim = yield* one.claim(["one", "two"])
      claim.ended("answered")
      const recording = yield* Effect.fork(one.record([resultOf("one"), failed("two")]))
      yield* Effect.yieldNow()
      expect((yield* two.claim(["one", "two"])).granted).toEqual([false, false])
      yield* Deferred.succeed(committed, undefined)
      yield* Fiber.join(recording)
      expect((yield* two.claim(["one", "two"])).granted).toEqual([false, true])
    })
  )

  it.scoped("may be sent, and once more after each attempt in doubt, which the ledger keeps", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* noted()
      const session = yield* openStore(store, german)
      const claim = yield* session.claim(["one"])
      for (const ambiguousAttempts of [0, 0, 1, 1, 3])
        expect(yield* claim.maySend(ambiguousAttempts)).toBe(true)
      expect(asked.filter((name) => name === "isHeld" || name === "repeat")).toEqual([
        "isHeld",
        "isHeld",
        "repeat",
        "isHeld",
        "repeat"
      ])
      claim.ended("answered")
      yield* session.record([resultOf("one")])
      expect(yield* statesOf(store)).toEqual(["unknown 1", "unknown 1", "answered 1"])
    })
  )

  it.scoped("that another process has taken over must not be sent, and frees its texts", () =>
    Effect.gen(function* () {
      let isLost = false
      const { store } = yield* noted((backend) => ({
        isHeld: (attempt) => (isLost ? Effect.succeed(false) : backend.isHeld(attempt))
      }))
      const [one, two] = yield* Effect.all([openStore(store, german), openStore(store, german)])
      const claim = yield* one.claim(["one"])
      isLost = true
      expect(yield* claim.maySend(0)).toBe(false)
      expect(yield* claim.maySend(0)).toBe(false)
      expect((yield* two.claim(["one"])).granted).toEqual([true])
    })
  )
})

describe("the ledger of a session", () => {
  it.scoped("has a request as answered in the recording with which the last of its texts is stored", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const session = yield* openStore(store, german)
      const claim = yield* session.claim(["one", "two"])
      expect(yield* claim.maySend(0)).toBe(true)
      claim.ended("answered")
      yield* session.record([resultOf("one"), resultOf("one")])
      expect(yield* statesOf(store)).toEqual(["inFlight 2"])
      yield* session.record([failed("two")])
      expect(yield* statesOf(store)).toEqual(["answered 2"])
    })
  )

  it.scoped("keeps an answer in doubt while another part of the same text is missing", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const { close, session } = yield* closable(store)
      const one = yield* session.claim(["long", "one"])
      const two = yield* session.claim(["long", "two"])
      for (const claim of [one, two]) yield* claim.maySend(0)
      one.ended("answered")
      yield* session.record([resultOf("one")])
      expect(yield* statesOf(store)).toEqual(["inFlight 2", "inFlight 2"])
      yield* close
      expect(yield* statesOf(store)).toEqual(["unknown 2", "unknown 2"])
    })
  )

  it.scoped("has a refused request with the next recording, and its texts stay with the session", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const [session, other] = yield* Effect.all([openStore(store, german), openStore(store, german)])
      const claim = yield* session.claim(["one", "two"])
      yield* claim.maySend(0)
      claim.ended("rejected")
      yield* session.record([])
      expect(yield* statesOf(store)).toEqual(["rejected 2"])
      expect((yield* other.claim(["one"])).granted).toEqual([false])
      const half = yield* session.claim(["one"])
      half.ended("answered")
      yield* session.record([resultOf("one")])
      expect(yield* statesOf(store)).toEqual(["rejected 2", "answered 1"])
    })
  )

  it.scoped("has texts that were sent as unknown after the session, and the others as rejected", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const { close, session } = yield* closable(store)
      const [sent] = yield* Effect.all([session.claim(["one"]), session.claim(["two", "three"])])
      yield* sent.maySend(0)
      const doubtful = yield* session.claim(["four"])
      yield* doubtful.maySend(0)
      doubtful.ended("unknown")
      for (const [text, ending] of [
        ["five", "unknown"],
        ["six", "answered"]
      ] as const) {
        const unasked = yield* session.claim([text])
        unasked.ended(ending)
      }
      yield* close
      expect(yield* statesOf(store)).toEqual([
        "unknown 1",
        "rejected 2",
        "unknown 1",
        "unknown 1",
        "unknown 1"
      ])
      const next = yield* openStore(store, german)
      expect((yield* next.claim(["one", "two", "three", "four"])).granted).toEqual(Array(4).fill(true))
    })
  )

  it.scoped("has a request that ended after its texts were recorded", () =>
    Effect.gen(function* () {
      const { store } = yield* noted()
      const { close, session } = yield* closable(store)
      const claim = yield* session.claim(["one"])
      yield* claim.maySend(0)
      yield* session.record([resultOf("one")])
      claim.ended("answered")
      yield* close
      expect(yield* statesOf(store)).toEqual(["answered 1"])
    })
  )

  it.scoped("is asked for nothing where nothing has to be stored", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* noted()
      const { close, session } = yield* closable(store)
      yield* session.lookUp(["one"])
      yield* session.record([failed("one")])
      yield* close
      expect(asked).not.toContain("record")
    })
  )
})

describe("a session over a backend that fails", () => {
  it.scoped("fails, and closes all the same, with its texts free", () =>
    Effect.gen(function* () {
      let isGone = true
      const { store } = yield* noted((backend) => ({
        record: (recording) => (isGone ? Effect.fail(gone) : backend.record(recording))
      }))
      const { close, session } = yield* closable(store)
      const claim = yield* session.claim(["one"])
      yield* claim.maySend(0)
      claim.ended("answered")
      expect(yield* Effect.flip(session.record([resultOf("one")]))).toBe(gone)
      yield* close
      isGone = false
      const next = yield* openStore(store, german)
      expect(yield* next.lookUp(["one"])).toEqual([undefined])
      expect((yield* next.claim(["one"])).granted).toEqual([true])
    })
  )

  it.scoped("ends the attempt of a claim that was interrupted, as it may have been noted", () =>
    Effect.gen(function* () {
      const { store } = yield* noted((backend) => ({
        claim: (claim) => Effect.zipRight(backend.claim(claim), Effect.never)
      }))
      const { close, session } = yield* closable(store)
      const claiming = yield* Effect.fork(session.claim(["one"]))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(claiming)
      expect(yield* statesOf(store)).toEqual(["inFlight 1"])
      yield* close
      expect(yield* statesOf(store)).toEqual(["rejected 1"])
    })
  )
})

describe("a store", () => {
  it.scoped("takes the entries that another one has told, and keeps its own", () =>
    Effect.gen(function* () {
      const [from, to] = yield* Effect.all([TranslationStore.makeMemory(), TranslationStore.makeMemory()])
      const french = { ...german, targetLang: "fr" }
      const texts = Array.from({ length: 2500 }, (_, index) => `text ${index}`)
      yield* Effect.flatMap(openStore(from, german), ({ record }) =>
        record(texts.map((text) => resultOf(text)))
      )
      yield* Effect.flatMap(openStore(from, french), ({ record }) => record([resultOf("one", "un")]))
      yield* Effect.flatMap(openStore(to, german), ({ record }) => record([resultOf("text 7", "mine")]))
      yield* to.add(yield* Stream.runCollect(from.entries))
      const [session, other] = yield* Effect.all([openStore(to, german), openStore(to, french)])
      expect(textsOf(yield* session.lookUp(texts))).toEqual(
        texts.map((text) => (text === "text 7" ? "mine" : `${text}!`))
      )
      expect(textsOf(yield* other.lookUp(["one"]))).toEqual(["un"])
    })
  )

  it.scoped("erases a text, with its translations", () =>
    Effect.gen(function* () {
      for (const store of [yield* TranslationStore.makeMemory(), (yield* noted()).store]) {
        const session = yield* openStore(store, german)
        yield* session.record([resultOf("one"), resultOf("two")])
        yield* store.correct([correction("one", "Eins")])
        expect(yield* store.erase("one")).toBe(2)
        expect(textsOf(yield* session.lookUp(["one", "two"]))).toEqual([undefined, "two!"])
      }
    })
  )

  it.scoped("in memory forgets the texts that were used least recently", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory({ texts: 2 })
      const session = yield* openStore(store, german)
      yield* session.record([resultOf("one"), resultOf("two")])
      yield* session.lookUp(["one"])
      yield* session.record([resultOf("three")])
      expect(textsOf(yield* session.lookUp(["one", "two", "three"]))).toEqual(["one!", undefined, "three!"])
      const small = yield* TranslationStore.makeMemory({ bytes: 10_000 })
      const other = yield* openStore(small, german)
      yield* other.record(Array.from({ length: 1000 }, (_, index) => resultOf(`text ${index}`)))
      expect((yield* small.stats).translations).toBeLessThan(30)
    })
  )

  it.scoped("in memory keeps the sums of its ledger when it forgets the first attempts", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const session = yield* openStore(store, german)
      for (let index = 0; index < 2500; index++) {
        const claim = yield* session.claim([`text ${index % 100}`])
        claim.ended("rejected")
        yield* session.record([])
      }
      expect((yield* store.stats).attempts.rejected.attempts).toBe(2500)
      expect((yield* statesOf(store)).length).toBeLessThanOrEqual(2000)
    })
  )
})

describe("sessions of one process", () => {
  const texts = ["a", "b", "c", "d"]
  const step = fc.record({
    session: fc.nat({ max: 2 }),
    action: fc.constantFrom("lookUp", "claim", "answer", "reject", "reopen"),
    texts: fc.subarray(texts, { minLength: 1 })
  })

  it("never send a text twice while it is under way or stored (random programs)", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) =>
        Effect.gen(function* () {
          const store = yield* TranslationStore.makeMemory()
          const open = closable(store)
          const sessions = [yield* open, yield* open, yield* open]
          const claims: Array<Array<{ claim: TranslationStore.Claim; texts: ReadonlyArray<string> }>> = [
            [],
            [],
            []
          ]
          const stored = new Set<string>()
          const holders = new Map<string, number>()
          let sent = 0
          for (const { action, session: index, texts } of steps) {
            const { close, session } = sessions[index]!
            const own = claims[index]!
            if (action === "lookUp") {
              const known = yield* session.lookUp(texts)
              expect(known.map((found) => found !== undefined)).toEqual(texts.map((text) => stored.has(text)))
            } else if (action === "claim") {
              const claim = yield* session.claim(texts)
              expect(claim.granted).toEqual(
                texts.map((text) => !stored.has(text) && (holders.get(text) ?? index) === index)
              )
              const granted = texts.filter((_, position) => claim.granted[position])
              if (granted.length === 0) continue
              expect(yield* claim.maySend(0)).toBe(true)
              sent++
              for (const text of granted) holders.set(text, index)
              own.push({ claim, texts: granted })
            } else if (action === "reopen") {
              yield* close
              sessions[index] = yield* open
              own.length = 0
              for (const [text, holder] of holders) if (holder === index) holders.delete(text)
            } else {
              for (const { claim, texts } of own.splice(0)) {
                claim.ended(action === "answer" ? "answered" : "rejected")
                yield* session.record(
                  texts.map((text) => (action === "answer" ? resultOf(text) : failed(text)))
                )
                for (const text of texts) {
                  holders.delete(text)
                  if (action === "answer") stored.add(text)
                }
              }
            }
          }
          for (const { close } of sessions) yield* close
          const { attempts } = yield* store.stats
          expect(attempts.inFlight).toEqual({ attempts: 0, characters: 0 })
          expect(attempts.answered.attempts + attempts.rejected.attempts + attempts.unknown.attempts).toBe(
            sent
          )
        }).pipe(Effect.scoped, Effect.runPromise)
      ),
      { numRuns: runs(100) }
    ))
})
