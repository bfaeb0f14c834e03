/** A backend under test, and what its tests share. */
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Backend, Ending } from "../../src/store/StoreBackend.js"
import { hashed, namespaceId } from "../../src/store/StoreKeys.js"
import type { Namespace, StoredTranslation } from "../../src/store/TranslationStore.js"

/** An empty store. */
export interface Store {
  /** Each run is one more owner of the store, as another process would be. */
  readonly owner: Effect.Effect<Backend, unknown, Scope.Scope>
}

/** An empty store whose leases are short, as tests wait for them to run out. */
export interface ExpiringStore extends Store {
  /** An owner that does not renew its lease by itself, as a process that is stopped: only its own questions may renew it. */
  readonly frozenOwner: Effect.Effect<Backend, unknown, Scope.Scope>
  readonly lease: Duration.DurationInput
}

export interface Subject {
  readonly make: Effect.Effect<Store, unknown, Scope.Scope>
  /** For stores that processes share. */
  readonly makeExpiring?: Effect.Effect<ExpiringStore, unknown, Scope.Scope> | undefined
  /** How often random tests run. @default 50 */
  readonly runs?: number | undefined
}

const known = (namespace: Partial<Namespace>) => {
  const whole = {
    endpoint: "POST /v2/translate",
    service: "https://service.test",
    account: "account",
    settings: '{"formality":"more"}',
    ...namespace
  }
  return { namespace: whole, id: namespaceId(whole) }
}

export type Known = ReturnType<typeof known>

export const german = known({ sourceLang: undefined, targetLang: "de" })
/** Other options than those of {@link german}, and the code of the language as it was asked for. */
export const germanLess = known({ targetLang: "DE", settings: '{"formality":"less"}' })
export const french = known({ sourceLang: "en", targetLang: "fr" })
export const english = known({
  endpoint: "POST /v2/write/rephrase",
  sourceLang: undefined,
  targetLang: undefined
})

export const { hashOf } = hashed

export const key = (text: string, namespace = german.id, terms?: string) =>
  hashed.keyOf(namespace, text, terms)

/** Hashes of terms that texts hold. */
export const terms = ["0123456789abcdef", "fedcba9876543210"] as const

export const keysOf = (...texts: ReadonlyArray<string>) => texts.map((text) => key(text))

export const at = (second: number) => DateTime.unsafeMake(second * 1000)

/** Time of a real store passes by itself. */
export const sleep = (millis: number) => Effect.sleep(millis)

export const opened = (backend: Backend, { id, namespace }: Known) => backend.openNamespace(id, namespace)

export const put = (
  backend: Backend,
  { id }: Known,
  translations: Readonly<Record<string, StoredTranslation>>,
  refreshBefore?: DateTime.Utc,
  terms?: string
) =>
  backend.record({
    namespace: id,
    translations: Object.entries(translations).map(([text, translation]) => ({
      key: key(text, id, terms),
      text,
      translation
    })),
    endings: [],
    refreshBefore
  })

export const attemptsOf = (backend: Backend) =>
  Effect.map(Stream.runCollect(backend.attempts), Chunk.toReadonlyArray)

const characters = (text: string) => Array.from(text).length

export const begin = (
  backend: Backend,
  attempt: string,
  texts: ReadonlyArray<string>,
  refreshBefore?: DateTime.Utc
) =>
  backend.claim({
    attempt,
    namespace: german.id,
    keys: keysOf(...texts),
    characters: texts.map(characters),
    refreshBefore
  })

/** Ids of attempts. */
export const [a, b, c, d] = ["a", "b", "c", "d"].map((digit) =>
  "00000000-0000-4000-8000-000000000000".replaceAll("0", digit)
) as [string, string, string, string]

export const end = (backend: Backend, attempt: string, ending: Ending) =>
  backend.record({ namespace: german.id, translations: [], endings: [{ attempt, ending }] })
