/**
 * Checks of translations, on what people have translated and on faults that are made of it: `npm run bench:checks`.
 *
 *     npm run bench:checks -- --languages de,ja
 *     npm run bench:checks -- --half tuning
 *     npm run bench:checks -- --examples numbers de 20
 *     npm run bench:checks -- --checks ./my-checks.ts
 *
 * The first run downloads packages of Debian and npm, and lists of their descriptions, some 180 MB, into a folder of the system for temporary files. It needs `apt-get`.
 */
import { resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { build } from "esbuild"
import { isHalf, readCorpus } from "./checks/corpus.js"
import { isLanguage, languages } from "./checks/languages.js"
import { type Checks, elsewhereOf, measureCpu, measureLanguage, toPair } from "./checks/measure.js"
import { isMissed, type Results, toMarkdown, toText } from "./checks/tables.js"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** A module that exports the checks as `defaults`. */
    checks: { type: "string", default: fileURLToPath(new URL("../src/text/Check.ts", import.meta.url)) },
    /** All, unless some are named. */
    languages: { type: "string", default: languages.join() },
    /** Of the packages: figures are those of the half that nobody has tuned on. */
    half: { type: "string", default: "unseen" },
    seed: { type: "string", default: "1" },
    /** Pairs of people for each language, of catalogues and of prose. */
    sample: { type: "string", default: "8000" },
    /** Prints what the check that is named flags of people's translations, in the half for tuning: `--examples numbers de 20`. */
    examples: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false }
  }
})

/** The checks as one deploys them, in one file: names that tsx gives to functions would take their time. */
const bundleChecks = async (module: string): Promise<Checks> => {
  const outfile = fileURLToPath(new URL("../.bench/measuredChecks.js", import.meta.url))
  await build({
    entryPoints: [resolve(module)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external"
  })
  const { defaults }: { readonly defaults?: Checks } = await import(pathToFileURL(outfile).href)
  if (defaults === undefined) throw new Error(`${module} exports no "defaults": an array of checks.`)
  return defaults
}

const corpusWith = async (half: string) => {
  if (!isHalf(half)) throw new Error("Name a half: tuning or unseen.")
  const missing: Array<string> = []
  const corpus = await readCorpus(half, values.seed, (what) => missing.push(what))
  return { corpus, missing }
}

const sample = Number(values.sample)

const printExamples = async (checks: Checks) => {
  const [name, language, most = "10"] = positionals
  const check = checks.find((each) => each.name === name)
  if (check === undefined) throw new Error(`Name one of ${checks.map((each) => each.name).join(", ")}.`)
  if (!isLanguage(language)) throw new Error(`Name one of ${languages.join(", ")}.`)
  const { corpus } = await corpusWith("tuning")
  const { catalogues, prose } = corpus.get(language)!
  const texts = [...catalogues.slice(0, sample), ...prose.slice(0, sample)].filter(
    ({ source, translation }) => source !== translation
  )
  const flagged = texts.flatMap((text) =>
    check
      .find(toPair(text, language))
      .slice(0, 1)
      .map((finding) => ({ ...text, finding }))
  )
  for (const { finding, source, translation, writer } of flagged.slice(0, Number(most))) {
    console.log(
      `${writer}: ${finding.explanation}\n  ${JSON.stringify(source)}\n  ${JSON.stringify(translation)}`
    )
  }
  console.log(`${flagged.length} of ${texts.length}`)
}

/** Of each language as many, so that all scripts are in. */
const pairsForCpu = 200

const measureAll = async (checks: Checks): Promise<Results> => {
  const { corpus, missing } = await corpusWith(values.half)
  const elsewhere = elsewhereOf(corpus)
  const chosen = values.languages.split(",")
  const unknown = chosen.find((code) => !isLanguage(code))
  if (unknown !== undefined)
    throw new Error(`There are no texts in ${unknown}: name some of ${languages.join(", ")}.`)
  const pairs = languages.flatMap((language) =>
    corpus
      .get(language)!
      .catalogues.slice(0, pairsForCpu)
      .map((text) => toPair(text, language))
  )
  return {
    half: values.half === "tuning" ? "tuning" : "unseen",
    seed: values.seed,
    missing,
    languages: chosen
      .filter(isLanguage)
      .map((language) =>
        measureLanguage(checks, corpus.get(language)!, language, elsewhere, { sample, seed: values.seed })
      ),
    cpu: {
      all: measureCpu(checks, pairs),
      byCheck: Object.fromEntries(checks.map((check) => [check.name, measureCpu([check], pairs)]))
    }
  }
}

const checks = await bundleChecks(values.checks)
if (values.examples) await printExamples(checks)
else {
  const results = await measureAll(checks)
  console.log(
    values.json
      ? JSON.stringify(results, undefined, 2)
      : values.markdown
        ? toMarkdown(results)
        : toText(results)
  )
  if (isMissed(results)) process.exitCode = 1
}
