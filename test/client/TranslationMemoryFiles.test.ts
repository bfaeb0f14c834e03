import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { RetryPolicy, TranslateClient, type TranslationMemories } from "effect-translate"
import { DocumentSource } from "effect-translate/documents"
import { key, once, served } from "../support/client.js"
import { emulatedInProcess } from "../support/emulator.js"
import * as recording from "../support/recordingServer.js"
import { recordingTracer } from "../support/recordingTracer.js"

const memories = Effect.map(TranslateClient.TranslateClient, (client) => client.translationMemories)

const use = <A, E, R>(call: (memories: TranslationMemories.TranslationMemories) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(memories, call)

const id = "a74d88fb-ed2a-4943-a664-a4512398b994"

const tmx = `<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>Mug</seg></tuv><tuv xml:lang="de"><seg>Humpen</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Good morning</seg></tuv><tuv xml:lang="de"><seg>Guten Morgen</seg></tuv></tu>
</body></tmx>`

const bytes = new TextEncoder().encode(tmx)

const file = DocumentSource.fromBytes("shop.tmx", bytes)

/** As a file is: in pieces, and readable again. */
const streamed = {
  ...file,
  content: Stream.fromIterable(
    bytes.reduce<Array<Uint8Array>>((all, _, at) => {
      if (at % 50 === 0) all.push(bytes.slice(at, at + 50))
      return all
    }, [])
  )
}

const secretPath = "/files/upload-5ecret?signature=0123456789abcdef"

const at = Effect.map(recording.RecordingServer, ({ url }) => `${url}${secretPath}`)

const started = (upload_url: string) => ({
  status: 202,
  body: { job_id: "j1", upload_url, expires_at: "2026-05-13T09:18:42Z" }
})

const is = (status: string, more: object = {}) => ({
  body: { job_id: "j1", product: "translation_memory", operation: "import", results: [{ status, ...more }] }
})

/** Sends again without a pause. */
const atOnce = Effect.provideService(
  RetryPolicy.RetryPolicy,
  RetryPolicy.make({ schedule: Schedule.recurs(3) })
)

const immediately = { pollSchedule: Schedule.recurs(10) }

describe("a translation memory on the wire", () => {
  it.effect("GET /v3/translation_memories/{translation_memory_id} asks for one", () =>
    Effect.gen(function* () {
      yield* recording.answer({
        body: {
          translation_memory_id: id,
          name: "Shop",
          creation_time: "2026-05-13T09:18:42Z",
          colour: "red"
        }
      })
      const memory = yield* use(({ get }) => get(id))
      expect(memory).toMatchObject({ translationMemoryId: id, name: "Shop" })
      expect(memory.creationTime?.epochMillis).toBe(Date.parse("2026-05-13T09:18:42Z"))
      const request = yield* recording.onlyRequest
      expect([request.method, request.path, request.text]).toEqual([
        "GET",
        `/v3/translation_memories/${id}`,
        ""
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    "DELETE /v3/translation_memories/{translation_memory_id} deletes one, also if the first attempt has",
    () =>
      Effect.gen(function* () {
        yield* recording.answer({ cut: "before" }, { status: 404 })
        yield* atOnce(use((memories) => memories.delete(id)))
        expect((yield* recording.requests).map(({ method, path }) => `${method} ${path}`)).toEqual(
          Array.from({ length: 2 }, () => `DELETE /v3/translation_memories/${id}`)
        )
      }).pipe(Effect.provide(served()))
  )

  it.effect("names the scope that a key lacks, in place of saying that the key is wrong", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 403 }, { status: 403 }, { status: 403 }, { status: 401 })
      const messageOf = <A>(
        call: (
          memories: TranslationMemories.TranslationMemories
        ) => Effect.Effect<A, { readonly message: string }>
      ) => Effect.map(Effect.flip(use(call)), ({ message }) => message)
      const scope = (name: string) =>
        `The key may not do this, status 403. Take a key with the scope translation_memories:${name}, and check that the plan has translation memories.`
      expect(yield* messageOf(({ list }) => list())).toContain(scope("read"))
      expect(yield* messageOf((memories) => memories.delete(id))).toContain(scope("write"))
      expect(yield* messageOf(({ importTmx }) => importTmx(file))).toContain(scope("write"))
      expect(yield* messageOf(({ get }) => get(id))).toContain("does not accept the key")
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/translation_memories/{translation_memory_id}/segments", () => {
  const segment = (index: number) => ({
    source_segment_id: `s${index}`,
    source_text: `text ${index}`,
    targets: [{ target_segment_id: `t${index}`, target_language: "de", target_text: `Text ${index}` }]
  })

  it.effect("asks for page, text and case in the query", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { segments: [segment(1)], segment_count: 7, next_page_cursor: "n" } })
      const page = yield* use(({ segments }) =>
        segments(id, { pageSize: 100, pageCursor: "a/b", filterText: "mug", filterCaseSensitive: true })
      )
      expect(page).toEqual({
        segments: [
          {
            sourceSegmentId: "s1",
            sourceText: "text 1",
            targets: [{ targetSegmentId: "t1", targetLanguage: "de", targetText: "Text 1" }]
          }
        ],
        segmentCount: 7,
        nextPageCursor: "n"
      })
      expect((yield* recording.onlyRequest).path).toBe(
        `/v3/translation_memories/${id}/segments?page_size=100&page_cursor=a%2Fb&filter_text=mug&filter_case_sensitive=true`
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    { query: { pageSize: 101 }, rule: "pageSize is 101; it must be a whole number from 1 to 100" },
    {
      query: { filterText: "\u{1F600}" },
      rule: "filterText is shorter than 2 characters: give more of the text"
    }
  ])("is not sent with $query", ({ query, rule }) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(use(({ segments }) => segments(id, query)))
      expect(error.message).toContain(rule)
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )

  it.effect("is streamed by the cursors of the answers, to the page that names none", () =>
    Effect.gen(function* () {
      yield* recording.answer(
        { body: { segments: [segment(1), segment(2)], next_page_cursor: "x" } },
        { body: { segments: [], next_page_cursor: "y" } },
        { body: { segments: [segment(3)], next_page_cursor: "" } }
      )
      const found = yield* use(({ segmentsStream }) => Stream.runCollect(segmentsStream(id)))
      expect(Chunk.toReadonlyArray(found).map(({ sourceText }) => sourceText)).toEqual([
        "text 1",
        "text 2",
        "text 3"
      ])
      expect((yield* recording.requests).map(({ path }) => path.replace(/^.*[?]/, ""))).toEqual([
        "page_size=100",
        "page_size=100&page_cursor=x",
        "page_size=100&page_cursor=y"
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("fails at a cursor that was followed already", () =>
    Effect.gen(function* () {
      const page = { body: { segments: [segment(1)], next_page_cursor: "x" } }
      yield* recording.answer(page, page)
      const error = yield* Effect.flip(use(({ segmentsStream }) => Stream.runDrain(segmentsStream(id))))
      expect(error).toMatchObject({ _tag: "RepeatedPage", page: 2 })
    }).pipe(Effect.provide(served()))
  )
})

describe("POST /v3/translation_memories/import", () => {
  it.effect(
    "announces the file, sends it without the key to where the answer says, and waits for the job",
    () =>
      Effect.gen(function* () {
        yield* recording.answer(
          started(yield* at),
          { status: 204 },
          is("awaiting_input"),
          is("completed", { translation_memory_id: id, skipped_segment_count: 3 })
        )
        const imported = yield* use(({ importTmx }) => importTmx(streamed, { name: "Shop", ...immediately }))
        expect(imported).toEqual({ translationMemoryId: id, skippedSegmentCount: 3 })
        const [create, put, ask] = yield* recording.requests
        expect(JSON.parse(create!.text)).toEqual({
          source_file: {
            file_name: "shop.tmx",
            content_type: "application/xml",
            content_length: bytes.length
          },
          parameters: { display_name: "Shop" }
        })
        expect([put!.method, put!.path]).toEqual(["PUT", secretPath])
        expect(put!.text).toBe(tmx)
        expect(put!.headers).toMatchObject({
          "content-length": String(bytes.length),
          "content-type": "application/xml"
        })
        expect(put!.headers.authorization).toBeUndefined()
        expect(put!.rawHeaders.join()).not.toContain(key)
        expect([ask!.method, ask!.path]).toEqual(["GET", "/v3/translation_memories/jobs/j1"])
        expect(ask!.headers.authorization).toContain(key)
      }).pipe(Effect.provide(served()))
  )

  it.effect("is not sent again if it may have arrived", () =>
    Effect.gen(function* () {
      yield* recording.answer({ cut: "before" }, started(yield* at))
      const error = yield* Effect.flip(use(({ importTmx }) => importTmx(file)))
      expect(error).toMatchObject({ _tag: "TransportError", delivery: "ambiguous", attempts: 1 })
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses an empty file and a name that is too long before anything is sent", () =>
    Effect.gen(function* () {
      const empty = yield* Effect.flip(
        use(({ importTmx }) => importTmx(DocumentSource.fromBytes("a.tmx", new Uint8Array())))
      )
      expect(empty.message).toContain("sourceFile.contentLength is 0; it must be from 1 to 1000000000 bytes")
      const long = yield* Effect.flip(use(({ importTmx }) => importTmx({ ...file, name: "a".repeat(101) })))
      expect(long.message).toContain("sourceFile.fileName holds 101 characters; the limit is 100: shorten it")
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends a file again whose connection was cut, and goes on if it is there already", () =>
    Effect.gen(function* () {
      yield* recording.answer(
        started(yield* at),
        { cut: "before" },
        { status: 412 },
        is("completed", { translation_memory_id: id })
      )
      const imported = yield* atOnce(use(({ importTmx }) => importTmx(streamed, immediately)))
      expect(imported).toEqual({ translationMemoryId: id, skippedSegmentCount: 0 })
      const [, first, second] = yield* recording.requests
      expect([first!.text, second!.text]).toEqual([tmx, tmx])
    }).pipe(Effect.provide(served()))
  )

  it.effect("says that the address does not take the file, and nothing of the address", () =>
    Effect.gen(function* () {
      const url = yield* at
      const { tracer, told } = recordingTracer()
      yield* recording.answer(started(url), { status: 403, body: { message: `no ${url}` } })
      const error = yield* use(({ importTmx }) => importTmx(file)).pipe(
        Effect.flip,
        Effect.withTracer(tracer)
      )
      expect(error).toMatchObject({ _tag: "MemoryTransferRefused", status: 403, operation: "import" })
      expect(error.message).toBe(
        "The file of a translation memory was not taken: Its address answers with status 403. It may have expired: begin the import again."
      )
      expect(`${JSON.stringify(error)}${JSON.stringify(told)}`).not.toMatch(/5ecret|0123456789abcdef/)
    }).pipe(Effect.provide(served()))
  )

  it.effect("says nothing of an address that can't be reached either", () =>
    Effect.gen(function* () {
      const url = Redacted.make("http://127.0.0.1:1/files/upload-5ecret")
      const error = yield* Effect.flip(
        once(use(({ upload }) => upload({ jobId: "j1", uploadUrl: url }, file)))
      )
      expect(error.message).toContain("PUT (upload address): No answer (ECONNREFUSED")
      expect(`${error.message}${JSON.stringify(error)}`).not.toContain("5ecret")
    }).pipe(Effect.provide(served()))
  )

  it.effect("fails with the error of the file, or if that has another size than it says", () =>
    Effect.gen(function* () {
      yield* recording.answer(started(yield* at), started(yield* at))
      const broken = { ...streamed, content: Stream.fail("unreadable" as const) }
      expect(yield* Effect.flip(use(({ importTmx }) => importTmx(broken)))).toBe("unreadable")
      const short = { ...streamed, content: Stream.make(bytes.slice(0, 9)) }
      expect(yield* Effect.flip(use(({ importTmx }) => importTmx(short)))).toMatchObject({
        _tag: "InvalidRequest",
        violations: [{ field: "sourceFile.contentLength" }]
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("that is interrupted amid the file closes the connection", () =>
    Effect.gen(function* () {
      yield* recording.answer(started(yield* at), { cut: "hang" })
      const fiber = yield* Effect.fork(use(({ importTmx }) => importTmx(file)))
      const server = yield* recording.RecordingServer
      const put = yield* server.request(1)
      yield* Fiber.interrupt(fiber)
      yield* put.closed
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/translation_memories/jobs/{job_id}", () => {
  it.effect("may leave out the steps between, and may say things that are new", () =>
    Effect.gen(function* () {
      yield* recording.answer(is("queued_somewhere"), { body: { job_id: "j1" } }, is("completed"))
      expect(yield* use(({ awaitImport }) => awaitImport("j1", immediately))).toEqual({
        translationMemoryId: undefined,
        skippedSegmentCount: 0
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect.each(["failed", "expired"])("ends with a typed error for a job that is %s", (status) =>
    Effect.gen(function* () {
      yield* recording.answer(is(status, { error: { message: "Broken file." } }))
      const error = yield* Effect.flip(use(({ awaitImport }) => awaitImport("j1", immediately)))
      expect(error).toMatchObject({
        _tag: "MemoryJobFailed",
        jobId: "j1",
        status,
        serviceMessage: "Broken file."
      })
      expect(error.message).toContain(`job j1, is "${status}": The service says: Broken file. `)
    }).pipe(Effect.provide(served()))
  )

  it.effect("says nothing of the file that the service quotes", () =>
    Effect.gen(function* () {
      yield* recording.answer({}, is("failed", { error: { message: `Line 2: ${tmx.split("\n")[1]}` } }))
      const uploadUrl = Redacted.make(yield* at)
      yield* use(({ upload }) => upload({ jobId: "j1", uploadUrl }, file))
      const error = yield* Effect.flip(use(({ awaitImport }) => awaitImport("j1", immediately)))
      expect(error.message).toContain("(withheld, since it repeats parts of the request)")
      expect(error.message).not.toContain("Humpen")
    }).pipe(Effect.provide(served()))
  )

  it.effect("is asked until the schedule of the caller ends", () =>
    Effect.gen(function* () {
      yield* recording.answer(...Array.from({ length: 4 }, () => is("processing")))
      const error = yield* Effect.flip(
        use(({ awaitImport }) => awaitImport("j1", { pollSchedule: Schedule.recurs(3) }))
      )
      expect(error).toMatchObject({ _tag: "MemoryJobOverdue", lastStatus: "processing" })
      expect(yield* recording.requests).toHaveLength(4)
    }).pipe(Effect.provide(served()))
  )
})

describe("POST /v3/translation_memories/{translation_memory_id}/export", () => {
  const exported = use(({ exportTmx }) =>
    exportTmx(id, { pollSchedule: Schedule.recurs(3) }).pipe(Stream.decodeText(), Stream.mkString)
  )

  it.effect.each([200, 202])("begins (%i), and the file is fetched without the key", (status) =>
    Effect.gen(function* () {
      yield* recording.answer(
        { status, body: { job_id: "j1", parameters: { translation_memory_id: id } } },
        is("processing"),
        is("completed", { download_url: yield* at }),
        { body: Buffer.from(tmx), headers: { "content-type": "application/xml" } }
      )
      expect(yield* exported).toBe(tmx)
      const [begin, , , get] = yield* recording.requests
      expect([begin!.method, begin!.path, begin!.text]).toEqual([
        "POST",
        `/v3/translation_memories/${id}/export`,
        ""
      ])
      expect([get!.method, get!.path, get!.headers.authorization]).toEqual(["GET", secretPath, undefined])
    }).pipe(Effect.provide(served()))
  )

  it.effect("waits while something else is done with the memory (409)", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 409 }, { status: 202, body: { job_id: "j1" } }, is("expired"))
      expect(yield* Effect.flip(exported)).toMatchObject({
        _tag: "MemoryJobFailed",
        status: "expired",
        operation: "export"
      })
      yield* recording.answer(...Array.from({ length: 4 }, () => ({ status: 409 })))
      expect(yield* Effect.flip(exported)).toMatchObject({ _tag: "MemoryBusy", translationMemoryId: id })
      expect(yield* recording.requests).toHaveLength(7)
    }).pipe(Effect.provide(served()))
  )

  it.effect("fails with the status of the file's address, and without a word of the address", () =>
    Effect.gen(function* () {
      const answers = [{ status: 202, body: { job_id: "j1" } }, is("completed", { download_url: yield* at })]
      yield* recording.answer(...answers, { status: 410 })
      expect(yield* Effect.flip(exported)).toMatchObject({ _tag: "MemoryTransferRefused", status: 410 })
      yield* recording.answer(...answers, {
        body: "<!doctype html><p>Sign in",
        headers: { "content-type": "text/html" }
      })
      const page = yield* Effect.flip(exported)
      expect(page._tag).toBe("UndecodableResponse")
      yield* recording.answer(...answers, { body: Buffer.from(tmx), cut: "mid-body" })
      const cut = yield* Effect.flip(exported)
      expect(cut).toMatchObject({ _tag: "TransportError", path: "(download address)" })
      expect(JSON.stringify([page, cut])).not.toContain("5ecret")
    }).pipe(Effect.provide(served()))
  )
})

describe("the emulator's translation memories", () => {
  const pair = { text: ["Mug", "Cup"], sourceLang: "en", targetLang: "de" } as const

  it.effect("are made by imports, read, used by translations, exported and deleted", () =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const all = client.translationMemories
      const imported = yield* all.importTmx(streamed, { name: "Shop" })
      const translationMemoryId = imported.translationMemoryId!
      expect(imported.skippedSegmentCount).toBe(0)
      expect(yield* all.get(translationMemoryId)).toMatchObject({
        name: "Shop",
        sourceLanguage: "en",
        targetLanguages: ["de"],
        segmentCount: 2
      })
      const { segments } = yield* all.segments(translationMemoryId, { filterText: "guten" })
      expect(segments.map(({ sourceText }) => sourceText)).toEqual(["Good morning"])

      const { translations } = yield* client.translateText({ ...pair, translationMemoryId })
      expect(translations.map(({ text }) => text)).toEqual(["Humpen", "[de] Çûp"])
      const french = client.translateText({ ...pair, targetLang: "fr", translationMemoryId })
      expect((yield* Effect.flip(french))._tag).toBe("NotFound")

      const exported = all.exportTmx(translationMemoryId).pipe(Stream.decodeText(), Stream.mkString)
      expect(yield* exported).toMatch(/<seg>Mug<\/seg>[\s\S]*<seg>Humpen<\/seg>/)
      yield* all.delete(translationMemoryId)
      expect((yield* Effect.flip(all.get(translationMemoryId)))._tag).toBe("NotFound")
      expect((yield* all.list()).totalCount).toBe(0)
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.virtual("pass through awaiting_input and processing", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const pollSchedule = Schedule.spaced("20 millis").pipe(
        Schedule.tapInput((job: TranslationMemories.Job) =>
          Effect.sync(() => seen.push(job.results[0]!.status))
        )
      )
      const { translationMemoryId } = yield* use(({ importTmx }) => importTmx(file, { pollSchedule }))
      expect([...new Set(seen)]).toEqual(["awaiting_input", "processing"])
      expect((yield* use(({ get }) => get(translationMemoryId!))).segmentCount).toBe(2)
    }).pipe(
      Effect.provide(
        emulatedInProcess({ translationMemoryJobs: { inputTime: "1 second", processingTime: "1 second" } })
      )
    )
  )

  it.effect("take no file that is no TMX, and none for a key without the scope", () =>
    Effect.gen(function* () {
      const broken = DocumentSource.fromBytes("a.tmx", new TextEncoder().encode("<html></html>"))
      expect(yield* Effect.flip(use(({ importTmx }) => importTmx(broken)))).toMatchObject({
        _tag: "MemoryJobFailed",
        status: "failed"
      })
      expect((yield* use(({ list }) => list())).totalCount).toBe(0)
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect("are only read by a key that has the scope for that alone", () =>
    Effect.gen(function* () {
      expect((yield* use(({ list }) => list())).totalCount).toBe(0)
      const error = yield* Effect.flip(use(({ importTmx }) => importTmx(file)))
      expect(error.message).toContain("The service says: The key lacks the scope translation_memories:write.")
    }).pipe(
      Effect.provide(emulatedInProcess({ keys: [{ key: "reader", scopes: ["translation_memories:read"] }] }))
    )
  )
})
