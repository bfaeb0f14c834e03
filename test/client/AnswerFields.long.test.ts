/**
 * Every field of every answer, spoilt in every way: only ids, texts and the lists that hold them may fail an answer. The lists of
 * this file say which those are.
 */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { describe, expect, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { TranslateClient } from "effect-translate"
import { AdminClient } from "effect-translate/admin"
import { TranslateApi } from "../../src/api/TranslateApi.js"
import { once } from "../support/client.js"
import { Answer, adminCases, adminClient, type Case, cases, client } from "../support/endpointCases.js"

type Path = ReadonlyArray<string | number>

/** Every place in a value; of lists, the first item only. */
const placesOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => [
  path,
  ...(Array.isArray(value)
    ? placesOf(value[0], [...path, 0])
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...path, name]))
      : [])
]

const absent = Symbol("absent")

const replaced = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  const inner = replaced(copy[key], rest, by)
  if (inner !== absent) copy[key] = inner
  else if (Array.isArray(copy)) copy.splice(key as number, 1)
  else delete copy[key]
  return copy
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value)

/** What stands in a field instead of this value. */
const mutationsOf = (value: unknown): { readonly [name: string]: unknown } => {
  const odd = { null: null, "another type": typeof value === "number" ? "x" : 7, "a list": [7] }
  if (typeof value === "string") return { ...odd, empty: "", unknown: "never-seen" }
  if (Array.isArray(value)) return { ...odd, "a list": {}, empty: [], unknown: ["never-seen", ...value] }
  if (typeof value === "object") return { ...odd, empty: {}, unknown: { ...value, never_seen: { a: [1] } } }
  return odd
}

/** Absence and emptiness of a list are no mutation of its items. */
const mutantsOf = (body: unknown, path: Path) => {
  const isItem = typeof path.at(-1) === "number"
  const mutations = path.length === 0 || isItem ? {} : { absent }
  return Object.entries({ ...mutations, ...mutationsOf(at(body, path)) }).map(
    ([name, by]) => [name, replaced(body, path, by)] as const
  )
}

const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[]` : name === "" ? key : `${name}.${key}`),
    ""
  )

/** The strings in a value that must survive, those of secrets too. */
const keptIn = (value: unknown): Array<string> => {
  if (Redacted.isRedacted(value)) return keptIn(Redacted.value(value))
  if (typeof value === "string") return value.toLowerCase().match(/kept[^\t]*/g) ?? []
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(keptIn)
}

const check = <Id, Client>(tag: Context.Tag<Id, Client>, { body, call, mayFail }: Case<Client>) =>
  Effect.gen(function* () {
    const answer = yield* Answer
    const called = call(yield* tag)
    const answered = (body: unknown) =>
      Effect.suspend(() => {
        answer.body = body
        return once(called)
      })
    expect(keptIn(yield* answered(body)).sort()).toEqual(keptIn(body).sort())
    const failing = new Set<string>()
    for (const path of placesOf(body)) {
      if (path.length === 0 && !Array.isArray(body)) continue
      for (const [mutation, mutant] of mutantsOf(body, path)) {
        const result = yield* Effect.either(answered(mutant))
        const field = nameOf(path)
        if (Either.isLeft(result)) failing.add(field)
        else if (!mayFail.includes(field)) {
          expect(keptIn(result.right).sort(), `${field} is ${mutation}`).toEqual(keptIn(mutant).sort())
        }
      }
    }
    expect([...failing].sort()).toEqual([...mayFail].sort())
  })

/**
 * Records whose unknown fields are not kept: envelopes of a list or a report, the handle of a document, which is kept in journals, and texts,
 * of which there are many.
 */
const withoutExtra: { readonly [endpoint: string]: ReadonlyArray<string> } = {
  "POST /v2/translate": ["", "translations[]"],
  ...Object.fromEntries(
    [
      "POST /v2/document",
      "GET /v3/glossaries",
      "GET /v3/glossaries/:glossary_id/entries",
      "GET /v2/glossaries",
      "GET /v2/glossary-language-pairs",
      "GET /v3/style_rules",
      "GET /v2/admin/analytics",
      "GET /v2/admin/analytics/custom-tags"
    ].map((endpoint) => [endpoint, [""]])
  )
}

/** Tells if a result has a field that the contract does not know: in an `extra`, or by its name where names are open. */
const hasExtra = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (["never_seen", "never_read"].some((name) => Object.hasOwn(value, name)) ||
    Object.values(Redacted.isRedacted(value) ? [] : value).some(hasExtra))

const checkExtra = <Id, Client>(
  endpoint: string,
  tag: Context.Tag<Id, Client>,
  { body, call }: Case<Client>
) =>
  Effect.gen(function* () {
    const answer = yield* Answer
    const called = call(yield* tag)
    const lost: Array<string> = []
    for (const path of placesOf(body)) {
      const value = at(body, path)
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue
      answer.body = replaced(body, path, { ...value, never_seen: "x", never_read: { status: "stable" } })
      if (!hasExtra(yield* once(called))) lost.push(nameOf(path))
    }
    expect(lost).toEqual(withoutExtra[endpoint] ?? [])
  })

describe("fields that the contract does not know stay in the extra of", () => {
  for (const [endpoint, each] of Object.entries(cases)) {
    it.effect(endpoint, () =>
      Effect.provide(checkExtra(endpoint, TranslateClient.TranslateClient, each), client)
    )
  }

  for (const [endpoint, each] of Object.entries(adminCases)) {
    it.effect(endpoint, () =>
      Effect.provide(checkExtra(endpoint, AdminClient.AdminClient, each), adminClient)
    )
  }
})

describe("the fields that may fail an answer of", () => {
  for (const [endpoint, each] of Object.entries(cases)) {
    it.effect(`${endpoint}: ${each.mayFail.join(", ") || "none"}`, () =>
      Effect.provide(check(TranslateClient.TranslateClient, each), client)
    )
  }

  for (const [endpoint, each] of Object.entries(adminCases)) {
    it.effect(`${endpoint}: ${each.mayFail.join(", ") || "none"}`, () =>
      Effect.provide(check(AdminClient.AdminClient, each), adminClient)
    )
  }
})

it("the answers of all endpoints are here, but for texts and empty ones", () => {
  const answers = Object.values(TranslateApi.groups).flatMap(({ endpoints }) =>
    Object.values(endpoints).flatMap(({ method, path, successSchema: { ast } }) =>
      HttpApiSchema.isVoid(ast) || HttpApiSchema.getEncoding(ast).kind !== "Json" ? [] : [`${method} ${path}`]
    )
  )
  expect([...Object.keys(cases), ...Object.keys(adminCases)].sort()).toEqual(answers.sort())
})
