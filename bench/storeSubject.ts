/** Runs a stream with a store, or without one, in a process of its own, and tells what it took. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { TranslationStore } from "effect-translate"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { PgTranslationStore } from "effect-translate/postgres"
import { texts } from "./corpus.js"
import { translate } from "./subjects/ours.js"

export type Kind = "none" | "memory" | "libsql" | "pg"

/** What a store in a file or a database takes, beside what every subject takes. */
export interface StoreMeasurement {
  readonly seconds: number
  readonly cpuMicrosPerText: number
  readonly peakRssMiB: number
  /** The longest time in which the process did nothing else. */
  readonly longestBlockMillis: number
}

const [kind, where, url, count] = process.argv.slice(2) as [Kind, string, string, string]

const layers: Record<Exclude<Kind, "none">, Layer.Layer<TranslationStore.TranslationStore, unknown>> = {
  memory: TranslationStore.layerMemory(),
  libsql: Layer.provide(LibsqlTranslationStore.layer({ file: where }), NodeFileSystem.layer),
  pg: Layer.provide(PgTranslationStore.layer({ url: Redacted.make(where) }), NodeFileSystem.layer)
}

const scope = Effect.runSync(Scope.make())
const store =
  kind === "none"
    ? undefined
    : Context.get(
        await Effect.runPromise(Layer.buildWithScope(layers[kind], scope)),
        TranslationStore.TranslationStore
      )

const run = (count: number, targetLang: string) =>
  translate(url, texts("en", count), { targetLang, concurrency: 8, store })

// In a namespace of its own, so that none of its translations is found later.
await run(5_000, "fr")
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const cpu = process.cpuUsage()
const start = performance.now()
await run(Number(count), "de")
const seconds = (performance.now() - start) / 1000
const { system, user } = process.cpuUsage(cpu)
delay.disable()
await Effect.runPromise(Scope.close(scope, Exit.void))
process.send!({
  seconds,
  cpuMicrosPerText: (system + user) / Number(count),
  peakRssMiB: process.resourceUsage().maxRSS / 1024,
  longestBlockMillis: delay.max / 1e6
} satisfies StoreMeasurement)
process.disconnect()
