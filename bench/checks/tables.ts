/** Results beside their goals, as tables of a terminal or of Markdown. */
import Table from "cli-table3"
import { faults } from "./faults.js"
import { tuning } from "./languages.js"
import type { Count, LanguageResult } from "./measure.js"

export interface Results {
  readonly seed: string
  /** What could not be had or read. */
  readonly missing: ReadonlyArray<string>
  readonly languages: ReadonlyArray<LanguageResult>
  /** Microseconds a text. */
  readonly cpu: { readonly all: number; readonly byCheck: Readonly<Record<string, number>> }
}

/** Of people's translations in each language, by all checks and by each; and microseconds a text. */
const goals = { flagged: 0.007, flaggedByCheck: 0.003, cpu: 8 }

/** Shares of fewer faults say little. */
const fewest = 20

interface Rows {
  readonly title: string
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const share = ({ all, flagged }: Count) => flagged / all

const percent = (value: number, digits: number) => `${(value * 100).toFixed(digits)} %`

/** What has missed its goal is marked. */
const marked = (text: string, misses: boolean) => (misses ? `${text} NO` : text)

const flaggedBy = ({ byCheck, people }: LanguageResult) =>
  Object.entries(byCheck)
    .map(([name, flagged]) => ({ name, share: flagged / people.all }))
    .filter((each) => each.share > 0)
    .sort((one, other) => other.share - one.share)

const isTuned = ({ language }: LanguageResult) => tuning.some((each) => each === language)

const peopleRows = ({ languages }: Results): Rows => ({
  title: "What people have translated",
  head: [
    "language",
    "pairs",
    "writers",
    "flagged, at most 0.7 %",
    "equal to the source",
    "by check, each at most 0.3 %"
  ],
  rows: languages.map((each) => [
    isTuned(each) ? `${each.language} (tuned)` : each.language,
    `${each.people.all}`,
    `${each.writers}`,
    marked(percent(share(each.people), 2), share(each.people) > goals.flagged),
    percent(each.equal / each.people.all, 2),
    flaggedBy(each)
      .slice(0, 5)
      .map((check) => marked(`${check.name} ${percent(check.share, 2)}`, check.share > goals.flaggedByCheck))
      .join(", ")
  ])
})

const total = (languages: ReadonlyArray<LanguageResult>, fault: string): Count =>
  languages.reduce(
    ({ all, flagged }, { byFault }) => ({
      all: all + byFault[fault]!.all,
      flagged: flagged + byFault[fault]!.flagged
    }),
    { all: 0, flagged: 0 }
  )

const shareOrNone = (count: Count, goal: number | undefined, digits: number) =>
  count.all < fewest ? "–" : marked(percent(share(count), digits), goal !== undefined && share(count) < goal)

const faultRows = ({ languages }: Results): Rows => ({
  title: "Faults found",
  head: ["fault", "goal", "made", "all languages", "tuned", "unseen", "least"],
  rows: faults.map(({ goal, name }) => {
    const [least] = languages
      .map(({ byFault, language }) => ({ language, count: byFault[name]! }))
      .filter(({ count }) => count.all >= fewest)
      .sort((one, other) => share(one.count) - share(other.count))
    const all = total(languages, name)
    return [
      name,
      goal === undefined ? "" : percent(goal, 0),
      `${all.all}`,
      shareOrNone(all, goal, 1),
      shareOrNone(total(languages.filter(isTuned), name), goal, 1),
      shareOrNone(
        total(
          languages.filter((each) => !isTuned(each)),
          name
        ),
        goal,
        1
      ),
      least === undefined ? "–" : `${least.language} ${shareOrNone(least.count, goal, 1)}`
    ]
  })
})

const columns = 9

/** Faults found in each language, in tables that are not too wide. */
const matrices = ({ languages }: Results): ReadonlyArray<Rows> =>
  Array.from({ length: Math.ceil(languages.length / columns) }, (_, index) => {
    const some = languages.slice(index * columns, (index + 1) * columns)
    return {
      title: "Faults found by language",
      head: ["fault", ...some.map(({ language }) => language)],
      rows: faults.map(({ goal, name }) => [
        name,
        ...some.map(({ byFault }) => shareOrNone(byFault[name]!, goal, 0))
      ])
    }
  })

const cpuRows = ({ cpu }: Results): Rows => ({
  title: "Time of the processor",
  head: ["check", "CPU µs/text"],
  rows: [
    [`all, at most ${goals.cpu}`, marked(cpu.all.toFixed(2), cpu.all > goals.cpu)],
    ...Object.entries(cpu.byCheck)
      .sort(([, one], [, other]) => other - one)
      .map(([name, micros]) => [name, micros.toFixed(2)])
  ]
})

const toTable = ({ head, rows, title }: Rows): string => {
  const table = new Table({
    head: [...head],
    style: { head: [], border: [] },
    chars: { mid: "", "mid-mid": "", "left-mid": "", "right-mid": "" }
  })
  table.push(...rows.map((row) => [...row]))
  return `${title}\n${table.toString()}`
}

const toMarkdownTable = ({ head, rows }: Rows): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

export const toText = (results: Results): string =>
  [peopleRows(results), faultRows(results), ...matrices(results), cpuRows(results)]
    .map(toTable)
    .concat(results.missing.length === 0 ? [] : `Not had or not read: ${results.missing.join("; ")}`)
    .join("\n\n")

export const toMarkdown = (results: Results): string =>
  [peopleRows(results), faultRows(results), cpuRows(results)].map(toMarkdownTable).join("\n\n")

/** Whether a goal is missed: in any language of people's translations, and over all languages of faults. */
export const isMissed = ({ cpu, languages }: Results): boolean =>
  cpu.all > goals.cpu ||
  languages.some(
    (each) =>
      share(each.people) > goals.flagged ||
      flaggedBy(each).some((check) => check.share > goals.flaggedByCheck)
  ) ||
  faults.some(({ goal, name }) => goal !== undefined && share(total(languages, name)) < goal)
