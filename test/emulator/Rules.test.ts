/** Faults and limits from a file: what it may say, and what is said of mistakes in it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Emulator, Fault, Rules } from "effect-translate/emulator"
import { download, status, upload } from "./documents.js"
import { hello, script, served, translate, usage } from "./support.js"

/** The settings that a file of this content describes. */
const load = (content: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/rules.json`
    yield* fs.writeFileString(file, content)
    return yield* Effect.mapError(Rules.load(file), (error) => ({
      ...error,
      message: error.message.replace(file, "rules.json")
    }))
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))

const rules = (content: object): Effect.Effect<Emulator.Options, unknown> =>
  Effect.map(load(JSON.stringify(content)), Rules.toOptions)

const withRules = <A, E>(
  content: object,
  test: Effect.Effect<A, E, Effect.Effect.Context<typeof hello extends () => infer T ? T : never>>
) => Effect.flatMap(rules(content), (options) => Effect.provide(test, served(options)))

const statuses = (count: number) =>
  Effect.map(Effect.all(Array.from({ length: count }, () => hello())), (answers) =>
    answers.map(({ status }) => status)
  )

describe("rules", () => {
  it.effect("let requests through before a fault, and end it after its times", () =>
    withRules(
      { faults: [{ fault: "status", status: 503, retryAfter: 7, after: 2, times: 2 }] },
      Effect.gen(function* () {
        expect(yield* statuses(2)).toEqual([200, 200])
        expect((yield* hello()).headers["retry-after"]).toBe("7")
        expect(yield* statuses(2)).toEqual([503, 200])
      })
    )
  )

  it.effect("choose requests by method, path, text and document", () =>
    withRules(
      {
        faults: [
          { fault: "status", status: 502, method: "get", path: "/v2/usage" },
          { fault: "status", status: 500, text: "bad", times: "always" },
          { fault: "html", status: 504, path: "/v2/document/{document_id}/result" },
          { fault: "documentError", message: "no", fileName: "b.txt" }
        ]
      },
      Effect.gen(function* () {
        expect((yield* hello()).status).toBe(200)
        expect((yield* usage()).status).toBe(502)
        for (const _ of [1, 2]) {
          expect((yield* translate({ text: ["a bad text"], target_lang: "de" })).status).toBe(500)
        }
        const file = new TextEncoder().encode("Hello")
        const good = yield* upload("a.txt", file)
        const bad = yield* upload("b.txt", file)
        expect([yield* status(good.json), yield* status(bad.json)].map(({ json }) => json.status)).toEqual([
          "done",
          "error"
        ])
        expect((yield* download(good.json)).status).toBe(504)
        expect((yield* download(good.json)).status).toBe(200)
      })
    )
  )

  it.effect("take every fault that there is", () =>
    Effect.gen(function* () {
      const { faults } = yield* rules({
        faults: [
          { fault: "status", status: 418, body: { message: "tea" }, when: "after" },
          { fault: "html", status: 502 },
          { fault: "emptyBody", status: 500 },
          { fault: "cutConnection", when: "mid-body" },
          { fault: "slow", duration: "2 seconds", when: "after", probability: 0.5 },
          { fault: "shortAnswer" },
          { fault: "longAnswer" },
          { fault: "garbage", times: 3 },
          { fault: "poison", marker: "x" },
          { fault: "documentError" }
        ]
      })
      expect(faults!.map(({ kind, probability, times }) => ({ kind, probability, times }))).toEqual(
        [
          Fault.status(418, { body: { message: "tea" }, when: "after" }),
          Fault.html(502),
          Fault.emptyBody(500),
          Fault.cutConnection({ when: "mid-body" }),
          Fault.slow("2 seconds", { when: "after" }).pipe(
            Fault.probability(0.5),
            Fault.times(Number.POSITIVE_INFINITY)
          ),
          Fault.shortAnswer,
          Fault.longAnswer,
          Fault.times(Fault.garbage, 3),
          Fault.poison("x"),
          Fault.documentError()
        ].map(({ kind, probability, times }) => ({ kind, probability, times }))
      )
    })
  )

  it.virtual("set keys and limits", () =>
    withRules(
      { keys: [{ key: "emulator-key", characterLimit: 7 }], maxBodyBytes: 10, latency: "1 millis" },
      Effect.gen(function* () {
        expect((yield* usage()).json.api_key_character_limit).toBe(7)
        expect((yield* hello()).status).toBe(413)
      })
    )
  )

  it.effect.each([
    ["{", "rules.json: is no JSON"],
    ["[]", /^rules\.json: must be /],
    ['{"fault":[]}', "rules.json: fault is not known here: check its spelling"],
    ['{"maxConcurrent":"3"}', /^rules\.json: maxConcurrent must be /],
    ['{"latency":"soon"}', 'rules.json: latency must be milliseconds, or a text such as "5 seconds"'],
    [
      '{"documents":{"maxWaiting":-1}}',
      "rules.json: documents.maxWaiting must be a whole number of at least 0"
    ],
    ['{"faults":[{"fault":"status"}]}', "rules.json: faults[0].status is missing"],
    [
      '{"faults":[{"fault":"garbage"},{"fault":"status","status":9999}]}',
      "rules.json: faults[1].status must be a status from 200 to 599"
    ],
    ['{"faults":[{"fault":"cut"}]}', /^rules\.json: faults\[0\]\.fault must be .*"cutConnection"/],
    ['{"faults":[{"fault":"garbage","tiems":3}]}', /^rules\.json: faults\[0\]\.tiems is not known here/],
    ['{"faults":[{"fault":"garbage","times":0}]}', /^rules\.json: faults\[0\]\.times must be a whole number/],
    [
      '{"faults":[{"fault":"garbage","probability":2}]}',
      "rules.json: faults[0].probability must be from 0 to 1"
    ],
    [
      '{"faults":[{"fault":"cutConnection","when":"later"}]}',
      /^rules\.json: faults\[0\]\.when must be "before"/
    ],
    ['{"keys":[{"key":"secret-key","limit":1}]}', /^rules\.json: keys\[0\](?!.*secret-key)/]
  ] as const)("name file and field of a mistake: %s", ([content, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load(content))
      expect(error).toMatchObject({ _tag: "RulesError" })
      if (typeof message === "string") expect((error as Error).message).toBe(message)
      else expect((error as Error).message).toMatch(message)
    })
  )
})

describe("Fault.after", () => {
  it.effect("lets the requests that it spares go on to the next fault", () =>
    Effect.gen(function* () {
      yield* script([Fault.after(Fault.status(500), 1), Fault.times(Fault.status(502), 2)])
      expect(yield* statuses(4)).toEqual([502, 500, 502, 200])
    }).pipe(Effect.provide(served()))
  )
})
