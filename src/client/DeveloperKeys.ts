/**
 * The developer keys of the account.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as DeveloperKey from "../api/DeveloperKey.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import type { CallError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  DeveloperKey,
  KeyId,
  keyId,
  Limitation,
  MaskedKey,
  NewDeveloperKey,
  type NewUsageLimits,
  UsageLimits
} from "../api/DeveloperKey.js"

/**
 * The developer keys of the account: `developerKeys` of the client. A key that does not exist is `NotFound`.
 *
 * @since 0.1.0
 * @category models
 */
export interface DeveloperKeys {
  /**
   * Creates a key that works at once: `POST /v2/admin/developer-keys`. It is not sent again if it may have arrived. Up to 25
   * keys are active at the same time; beyond that the service answers `BadRequest`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys".
   *
   * @example
   * const key = yield* admin.developerKeys.create({ label: "Catalogue" })
   */
  readonly create: (key?: DeveloperKey.NewDeveloperKey) => Effect.Effect<DeveloperKey.DeveloperKey, CallError>
  /**
   * All keys, active and deactivated: `GET /v2/admin/developer-keys`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys".
   *
   * @example
   * const keys = yield* admin.developerKeys.list
   */
  readonly list: Effect.Effect<ReadonlyArray<DeveloperKey.DeveloperKey>, CallError>
  /**
   * Deactivates a key at once and for good: `PUT /v2/admin/developer-keys/deactivate`. Its calls fail with `Unauthorized`
   * from then on.
   *
   * Source: service specification, Endpoints, "Admin: developer keys"; Authentication, 6.
   *
   * @example
   * const deactivated = yield* admin.developerKeys.deactivate(key.keyId)
   */
  readonly deactivate: (keyId: DeveloperKey.KeyId) => Effect.Effect<DeveloperKey.DeveloperKey, CallError>
  /**
   * Changes the label of a key: `PUT /v2/admin/developer-keys/label`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys".
   *
   * @example
   * const renamed = yield* admin.developerKeys.rename(key.keyId, "Catalogue team")
   */
  readonly rename: (
    keyId: DeveloperKey.KeyId,
    label: string
  ) => Effect.Effect<DeveloperKey.DeveloperKey, CallError>
  /**
   * Sets the monthly limits of a key, in characters (code points) and in milliseconds of speech:
   * `PUT /v2/admin/developer-keys/limits`. 0 blocks the key, `null` lifts the limit. Calls beyond it fail with
   * `QuotaExceeded`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys"; Limits, "Key-level usage limit".
   *
   * @example
   * const limited = yield* admin.developerKeys.setLimits(key.keyId, { characters: 500_000 })
   */
  readonly setLimits: (
    keyId: DeveloperKey.KeyId,
    limits: DeveloperKey.NewUsageLimits
  ) => Effect.Effect<DeveloperKey.DeveloperKey, CallError>
}

/** @internal */
export const make: (endpoints: Endpoints) => DeveloperKeys = ({ group }) => {
  const { call } = group("developerKeys")
  const create = call("create", "never", (payload: DeveloperKey.NewDeveloperKey) => ({ payload }))
  const rename = call("rename", "always", (payload: DeveloperKey.Renaming) => ({ payload }))
  const setLimits = call("setLimits", "always", (payload: DeveloperKey.Limitation) => ({ payload }))
  return {
    create: (key = {}) => create(key),
    list: call("list", "always", () => ({}))(),
    deactivate: call("deactivate", "always", (keyId: DeveloperKey.KeyId) => ({ payload: { keyId } })),
    rename: (keyId, label) => rename({ keyId, label }),
    setLimits: (keyId, limits) => setLimits({ ...limits, keyId })
  }
}
