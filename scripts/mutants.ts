/**
 * Changes the code that money and texts depend on, in thousands of small ways, and tells which changes no test has noticed: see
 * `docs/internals/mutants.md`. It takes hours.
 *
 *     npm run test:campaign -- mutants                                    all parts
 *     npm run test:campaign -- mutants retry quota                        some of them
 *     npm run test:campaign -- mutants client                             what a folder has beside the parts: client, store or stream
 *     npm run test:campaign -- mutants src/stream/internal/cost.ts        modules, by the tests of their part
 *     npm run test:campaign -- mutants --force retry                      all of a part anew: otherwise only what has changed, in code or tests
 *     npm run test:campaign -- mutants --quick retry                      by the quickest tests of the part only
 *     npm run test:campaign -- mutants --sample 4 client                  a quarter of the mutants, drawn by their places
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { Stryker } from "@stryker-mutator/core"
// Stryker has no option for it.
import { MutantCollector } from "../node_modules/@stryker-mutator/instrumenter/dist/src/transformers/mutant-collector.js"
import { hash } from "../src/internal/hash.js"

interface Part {
  readonly modules: ReadonlyArray<string>
  /** Those that find most: each takes some milliseconds. */
  readonly tests: ReadonlyArray<string>
  /** Those that are asked about what is left. */
  readonly slowerTests: ReadonlyArray<string>
}

const parts: Readonly<Record<string, Part>> = {
  /** What is sent again, when, and what becomes of a request. */
  retry: {
    modules: [
      "src/client/RetryPolicy.ts",
      "src/client/internal/calling/attempts.ts",
      "src/client/internal/calling/call.ts",
      "src/client/internal/calling/errorTable.ts",
      "src/client/internal/calling/sendAgain.ts",
      "src/internal/retryBackoff.ts"
    ],
    tests: ["test/client/{CircuitCalls,ErrorMessages,RetryBackoff,RetryPolicy,SendAgain}.test.ts"],
    slowerTests: [
      "test/client/{Answers,Errors,Halted,MaySend,Timeouts,TranslateError}.test.ts",
      "test/stream/{CircuitBreaker,CircuitRaces,ServerErrors}.test.ts"
    ]
  },
  /** What becomes of a 456. */
  quota: {
    modules: [
      "src/client/QuotaPolicy.ts",
      "src/client/internal/pacing/billedCalls.ts",
      "src/client/internal/pacing/failOver.ts",
      "src/client/internal/pacing/waitForQuota.ts"
    ],
    tests: ["test/client/{BilledCalls,QuotaPolicy}.test.ts"],
    slowerTests: ["test/client/Halted.test.ts", "test/stream/FailOver.test.ts"]
  },
  /** What goes into which request. */
  packing: {
    modules: [
      "src/stream/ServiceLimits.ts",
      "src/stream/internal/batching.ts",
      "src/stream/internal/packing.ts",
      "src/stream/internal/refusals.ts"
    ],
    tests: ["test/stream/{BatchOptions,Packing,Scheduler,ServiceLimits,Verdicts}.test.ts"],
    slowerTests: ["test/stream/{Batching,Messages,Oversized,Placeholders,Refusals,ServerErrors}.test.ts"]
  },
  /** Which translation is that of which text, and in which order they leave. */
  matching: {
    modules: [
      "src/store/StoreKeys.ts",
      "src/stream/internal/element.ts",
      "src/stream/internal/intake.ts",
      "src/stream/internal/lookUps.ts",
      "src/stream/internal/matching.ts",
      "src/stream/internal/permits.ts",
      "src/stream/internal/runStream.ts",
      "src/stream/internal/scheduler.ts",
      "src/stream/internal/settling.ts",
      "src/stream/internal/translationStore.ts",
      "src/stream/internal/window.ts"
    ],
    tests: [
      "test/store/Keys.test.ts",
      "test/stream/{Dedupe,Intake,Matching,OverBudget,Packing,Permits,Scheduler,Settling,StoreSteps}.test.ts"
    ],
    slowerTests: [
      "test/stream/{Blanks,Identity,Namespace,Oversized,Outcome,Scheduling,Store,TranslateStream,Verification}.test.ts"
    ]
  },
  /** What was counted, and what it has cost. */
  accounting: {
    modules: [
      "src/store/internal/inMemoryLedger.ts",
      "src/stream/Budget.ts",
      "src/stream/Outcome.ts",
      "src/stream/internal/accounting.ts",
      "src/stream/internal/cost.ts",
      "src/stream/internal/overBudget.ts",
      "src/stream/internal/progressCounts.ts"
    ],
    tests: [
      "test/store/Ledger.test.ts",
      "test/stream/{Accounting,Cost,Outcomes,OverBudget,ProgressCounts,Split}.test.ts"
    ],
    slowerTests: [
      "test/store/{Memory,TranslationStore}.test.ts",
      "test/stream/{Budget,Outcome,Progress,SharedStore,Store}.test.ts"
    ]
  }
}

interface Run extends Part {
  readonly name: string
}

const modulesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file}`)

const modulesOfParts = Object.values(parts).flatMap(({ modules }) => modules)

/** What a folder has beside the modules of the parts, by the tests of that folder, and then of all three. */
const restOf = (folder: string): Part => ({
  modules: modulesOf(`src/${folder}`).filter((module) => !modulesOfParts.includes(module)),
  tests: [`test/${folder}/*.test.ts`],
  slowerTests: ["test/{client,store,stream}/*.test.ts"]
})

const allParts: Readonly<Record<string, Part>> = {
  ...parts,
  client: restOf("client"),
  store: restOf("store"),
  stream: restOf("stream")
}

const runOf = (arg: string): Run => {
  if (allParts[arg] !== undefined) return { name: arg, ...allParts[arg] }
  const found = Object.entries(allParts).find(([, { modules }]) => modules.includes(arg))
  if (found === undefined)
    throw new Error(`${arg} is neither a part nor a module of src/client, src/store or src/stream.`)
  return { name: found[0], ...found[1], modules: [arg] }
}

const folder = "reports/mutants"

const args = process.argv.slice(2)
const has = (flag: string) => args.includes(flag)
const sampleAt = args.indexOf("--sample")
const sample = sampleAt === -1 ? 1 : Number(args.splice(sampleAt, 2)[1])

const { collect } = MutantCollector.prototype

MutantCollector.prototype.collect = function (fileName, original, mutable, offset) {
  const mutant = collect.call(this, fileName, original, mutable, offset)
  const { location, replacement } = mutant.toApiMutant()
  const place = hash(JSON.stringify([relative(process.cwd(), fileName), location, replacement]))
  const isDrawn = Number.parseInt(place.slice(0, 8), 16) % sample === 0
  return isDrawn ? mutant : Object.assign(mutant, { ignoreReason: mutant.ignoreReason ?? "Not drawn." })
}

const resultsOf = ({ name }: Run) => `${folder}/${name}${sample === 1 ? "" : `.${sample}`}.json`

/** Runs some tests with the mutants that no earlier run has killed. */
const stryker = (
  run: Run,
  tests: ReadonlyArray<string>,
  options: ConstructorParameters<typeof Stryker>[0] = {}
) => {
  process.env.MUTANTS_TESTS = JSON.stringify(tests)
  process.env.MUTANTS_TIMEOUT = tests === run.tests ? "15000" : "60000"
  process.env.MUTANTS_THREAD = options.ignoreStatic === false ? "new" : "kept"
  return new Stryker({
    allowConsoleColors: false,
    concurrency: Number(process.env.MUTANTS_CONCURRENCY ?? 1),
    coverageAnalysis: "perTest",
    disableTypeChecks: false,
    ignorePatterns: ["/bench", "/deploy", "/dist", "/docs", "/examples", "/out", "/test/format/corpus"],
    ignorers: ["messages"],
    ignoreStatic: true,
    incremental: true,
    incrementalFile: resultsOf(run),
    maxTestRunnerReuse: 100,
    mutate: [...run.modules],
    plugins: ["@stryker-mutator/vitest-runner", "./scripts/mutantMessages.mjs"],
    reporters: ["progress-append-only"],
    testRunner: "vitest",
    // On a busy machine, no mutant is taken for one that never ends.
    timeoutFactor: 2,
    timeoutMS: 30_000,
    vitest: { configFile: "vitest.mutants.config.ts", related: false },
    warnings: false,
    ...options
  }).runMutationTest()
}

const detected = ["Killed", "Timeout"]
const undetected = ["Survived", "NoCoverage"]

const report = (run: Run): void => {
  const { files } = JSON.parse(readFileSync(resultsOf(run), "utf8"))
  const mutants = run.modules.flatMap((module) =>
    (files[module]?.mutants ?? []).map((mutant: object) => ({ module, ...mutant }))
  )
  const of = (statuses: ReadonlyArray<string>) => mutants.filter(({ status }) => statuses.includes(status))
  for (const { location, module, mutatorName, replacement, status } of of(undetected)) {
    const { column, line } = location.start
    console.log(`${module}:${line}:${column} ${status} ${mutatorName}: ${replacement.replace(/\s+/g, " ")}`)
  }
  const valid = of([...detected, ...undetected]).length
  const counts = ["Killed", "Timeout", ...undetected, "Ignored"].map((each) => `${each} ${of([each]).length}`)
  const score = (100 * of(detected).length) / valid
  console.log(`${run.name}: ${valid} mutants, ${counts.join(", ")}: ${score.toFixed(1)} %`)
}

const isForced = has("--force")
const isQuick = has("--quick")
const names = args.filter((arg) => !arg.startsWith("--"))
const runs = (names.length === 0 ? Object.keys(parts) : names).map(runOf)

const allTests = ({ slowerTests, tests }: Run) => [...tests, ...slowerTests]

for (const run of runs) {
  const isNew = isForced || isQuick || !existsSync(resultsOf(run))
  if (isNew && run.tests.length > 0) await stryker(run, run.tests, { force: isForced })
  if (!isQuick) await stryker(run, allTests(run))
}
// What runs as a module is loaded: each of these mutants takes seconds.
for (const run of runs) if (!isQuick) await stryker(run, allTests(run), { ignoreStatic: false })
runs.forEach(report)
