/** What repeats or searches, and is not in `.ci/run`: `npm run test:campaign -- NAME` runs one of these. */
import { readFileSync } from "node:fs"
import { globSync } from "tinyglobby"

export interface Campaign {
  /** How long it takes on two free cores, in minutes. */
  readonly minutes: number
  readonly finds: string
  /** The programs and their words, one after the other. The last one gets what is given after the name. */
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
}

const tests = (...paths: ReadonlyArray<string>) => [
  "vitest",
  "run",
  "--config",
  "vitest.campaign.config.ts",
  ...paths
]

const script = (name: string, ...words: ReadonlyArray<string>) => ["tsx", `scripts/${name}.ts`, ...words]

/** Test files that have more runs in a campaign. */
const withRuns = (pattern: string, ignore: string) =>
  globSync(pattern, { ignore })
    .filter((file) => readFileSync(file, "utf8").includes('/support/long.js"'))
    .sort()

export const campaigns: Readonly<Record<string, Campaign>> = {
  busy: {
    minutes: 20,
    finds: "tests that depend on the speed of the machine: `npm run test:busy`, three times",
    runs: [script("testRounds", "busy", "3")]
  },
  chaos: {
    minutes: 30,
    finds: "durable jobs whose workers, database and service are disturbed at random",
    runs: [script("durable", "chaos", "10"), script("durable", "faults", "10")]
  },
  corpora: {
    minutes: 5,
    finds: "formats with files that others wrote, which are downloaded, and the schemas of XLIFF",
    runs: [tests("test/format/Corpus", "test/format/ParquetCorpus", "test/format/XliffSchema")]
  },
  faults: {
    minutes: 20,
    finds: "each call of a job to files, statements and requests, by each fault that it can meet",
    runs: [tests("test/job/Faults")]
  },
  "fresh-seeds": {
    minutes: 25,
    finds: "tests that depend on their seed: `npm test` with 20 new ones",
    runs: [script("testRounds", "seeds", "20")]
  },
  install: {
    minutes: 6,
    finds:
      "the install lines of all pages, each in an empty folder, and npx by npm 10 and 11 of Node 20, 22 and 24",
    runs: [["npm", "run", "build"], tests("test/package"), script("check-install")]
  },
  long: {
    minutes: 60,
    finds:
      "the tests of `test:long` in full: kills in a row, outages of 30 seconds, large files, rates and limits of time",
    get runs() {
      return [tests("test/workflow/ClusterLimit", ...withRuns("test/**/*.long.test.ts", ""))]
    }
  },
  mutants: {
    minutes: 300,
    finds: "small changes of the code that no test notices; a part or a module takes some minutes",
    runs: [script("mutants")]
  },
  inputs: {
    minutes: 20,
    finds: "files of each format, of two repeated pieces, that take more than 50 µs a byte",
    runs: [script("slowInputs")]
  },
  report: {
    minutes: 1,
    finds: "a large page of a report that opens or searches slowly",
    runs: [tests("test/cli/Report.long")]
  },
  screenshots: {
    minutes: 2,
    finds: "the pictures of the documents, taken anew, to look at",
    runs: [script("reportScreenshots"), script("jobsScreenshots"), script("terminalScreenshots")]
  },
  seeds: {
    minutes: 15,
    finds: "random tests with all of their runs",
    get runs() {
      return [tests(...withRuns("test/**/*.test.ts", "**/*.{campaign,long}.test.ts"))]
    }
  },
  soak: {
    minutes: 20,
    finds: "random programs under fire, a half of them over HTTP; `--seed 17` repeats one",
    runs: [script("soak")]
  },
  "soak-virtual": {
    minutes: 6,
    finds:
      "5,000 small random programs in virtual time, each twice with equal traces; `--seed 17` repeats one",
    runs: [script("soak", "--virtual", "5000")]
  },
  terminal: {
    minutes: 3,
    finds: "signals, keys and sizes of a terminal at moments that chance draws",
    runs: [tests("test/cli/Terminal.campaign")]
  }
}
