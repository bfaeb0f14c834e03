/** What a store says of a database that it can't use, or that others make with it. */
import { NodeFileSystem } from "@effect/platform-node"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import * as schema from "../../src/sql/internal/schema.js"
import { TranslationStore } from "../../src/store/TranslationStore.js"
import { a, begin, german, opened } from "../store/subject.js"
import { newClient, owner, type Shared } from "./stores.js"

export const suite = (database: Shared) =>
  describe(`a store on ${database.name}`, () => {
    it.scopedLive("takes a lease of any length", () =>
      Effect.gen(function* () {
        const store = yield* owner(yield* newClient(database), {
          schedule: Schedule.stop,
          lease: "10000.5 millis"
        })
        yield* opened(store, german)
        expect(yield* begin(store, a, ["one"])).toEqual([true])
      })
    )

    it.scopedLive.each([1, 99])("does not open tables of another version, such as %i", (version) =>
      Effect.gen(function* () {
        const client = yield* newClient(database)
        const build = Layer.build(Layer.provide(LibsqlTranslationStore.layerClient({ name: "here" }), client))
        yield* Effect.scoped(build)
        yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE effect_translate_version SET version = ${version}`
        ).pipe(Effect.provide(client))
        expect(yield* Effect.flip(build)).toMatchObject({
          _tag: "StoreVersionUnknown",
          store: "here",
          version,
          supported: schema.version
        })
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )

    it.scopedLive("is made by many that open an empty database at once", () =>
      Effect.gen(function* () {
        const client = yield* newClient(database)
        const build = Layer.build(Layer.provide(LibsqlTranslationStore.layerClient(), client))
        const stores = yield* Effect.all(Array(8).fill(build) as Array<typeof build>, {
          concurrency: "unbounded"
        })
        for (const context of stores) {
          expect(yield* Context.get(context, TranslationStore).stats).toMatchObject({ translations: 0 })
        }
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )
  })
