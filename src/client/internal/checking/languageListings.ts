import * as Arr from "effect/Array"
import * as Cache from "effect/Cache"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Order from "effect/Order"
import type * as Scope from "effect/Scope"
import type * as Language from "../../../api/Language.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import type { Languages } from "../../Languages.js"
import type { CallError } from "../../TranslateError.js"
import type { Ask } from "./unanswered.js"

/** Fetches a value once for all callers at the same time, and keeps it for a while; it keeps no failure, unless told otherwise. */
const cached = <K, A, E>(
  ttl: Duration.DurationInput,
  fetch: (key: K) => Effect.Effect<A, E>,
  isKept: (exit: Exit.Exit<A, E>) => boolean = Exit.isSuccess
): Effect.Effect<(key: K) => Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    // Each fetch has its own fiber, since the interruption of the first caller would interrupt the others.
    const cache = yield* Cache.make({
      capacity: Number.POSITIVE_INFINITY,
      timeToLive: ttl,
      lookup: (key: K) => Effect.forkIn(Effect.interruptible(fetch(key)), scope)
    })
    return (key) =>
      Effect.flatMap(Effect.uninterruptible(cache.get(key)), (fiber) =>
        // `Fiber.join` would also take over the context of the fetch.
        Effect.flatMap(Fiber.await(fiber), (exit) =>
          isKept(exit)
            ? exit
            : Effect.zipRight(
                cache.invalidateWhen(key, (cached) => cached === fiber),
                exit
              )
        )
      )
  })

/** The service's listings of one resource. */
export interface Catalogue {
  /** By code. */
  readonly languages: ReadonlyMap<string, Language.Language>
  readonly features: ReadonlyArray<Language.ResourceFeature>
}

export type Side = "source" | "target"

/** The languages of a translation. Without a source, only the target is checked. */
export interface Pair {
  readonly sourceLang?: string | undefined
  readonly targetLang: string
}

const usable = { source: "usableAsSource", target: "usableAsTarget" } as const

const needed = { source: "needsSourceSupport", target: "needsTargetSupport" } as const

/** The languages that are usable on a side. */
export const usableOn = ({ languages }: Catalogue, side: Side): ReadonlyArray<Language.Language> =>
  Array.from(languages.values()).filter((language) => language[usable[side]])

/**
 * The language of a code, if it is usable on a side. A variant that is not listed counts as its base language, and so
 * does a source variant that is listed as a target only.
 */
export const find = ({ languages }: Catalogue, side: Side, code: string): Language.Language | undefined => {
  const subtags = LanguageCode.canonical(code).split("-")
  for (let length = subtags.length; length > 0; length--) {
    const language = languages.get(subtags.slice(0, length).join("-"))
    if (language?.[usable[side]] === true) return language
    if (language !== undefined && side === "target") return undefined
  }
  return undefined
}

const sides = ({ sourceLang, targetLang }: Pair): ReadonlyArray<readonly [Side, string]> =>
  sourceLang === undefined
    ? [["target", targetLang]]
    : [
        ["source", sourceLang],
        ["target", targetLang]
      ]

/** The sides whose code is not usable there. */
export const unusable = (catalogue: Catalogue, pair: Pair): ReadonlyArray<readonly [Side, string]> =>
  sides(pair).filter(([side, code]) => find(catalogue, side, code) === undefined)

/** The sides that lack a feature which they need; all of them if the resource has no such feature. */
export const lacking = (
  catalogue: Catalogue,
  feature: string,
  pair: Pair
): ReadonlyArray<readonly [Side, string]> => {
  const flags = catalogue.features.find(({ name }) => name === feature)
  return sides(pair).filter(([side, code]) => {
    const language = find(catalogue, side, code)
    if (language === undefined || flags === undefined) return true
    return flags[needed[side]] === true && !Object.hasOwn(language.features, feature)
  })
}

/** The cached listings of the service. */
export const make = (client: Languages, ttl: Duration.DurationInput, ask: Ask) =>
  Effect.gen(function* () {
    const resources = (yield* cached(ttl, () => client.resources))(undefined)
    // The key carries its hash, which the strict schema of the query would refuse.
    const list = yield* cached(ttl, ({ include = [], resource }: Language.Query) =>
      Effect.map(client.list({ resource, include: Array.from(include) }), (all) => ({
        all,
        byCode: new Map(all.map((language) => [language.lang, language]))
      }))
    )
    const listed = ({ include = [], resource }: Language.Query) =>
      list(Data.struct({ resource, include: Data.array(Arr.dedupe(Arr.sort(include, Order.string))) }))
    const languages = (query: Language.Query) => Effect.map(listed(query), ({ all }) => all)
    const catalogue = (query: Language.Query): Effect.Effect<Catalogue, CallError> =>
      Effect.zipWith(
        listed(query),
        resources,
        ({ byCode }, resources) => ({
          languages: byCode,
          features: resources.find(({ name }) => name === query.resource)?.features ?? []
        }),
        { concurrent: true }
      )
    // The failure is kept for checks only: a caller that asks for a listing itself asks the service again.
    const known = yield* cached(
      ttl,
      (resource: Language.ResourceName) => ask(catalogue({ resource, include: ["beta", "external"] })),
      (exit) => Exit.isSuccess(exit) && exit.value === undefined
    )
    return { languages, resources, catalogue, known }
  })

export type Listings = Effect.Effect.Success<ReturnType<typeof make>>
