/** Results beside their goals, as tables of a terminal or of Markdown. */
import Table from "cli-table3"
import type { Half } from "./corpus.js"
import { faults } from "./faults.js"
import type { Count, LanguageResult, People } from "./measure.js"

export interface Results {
  readonly half: Half
  readonly seed: string
  /** What could not be had or read. */
  readonly missing: ReadonlyArray<string>
  readonly languages: ReadonlyArray<LanguageResult>
  /** Microseconds a text. */
  readonly cpu: { readonly all: number; readonly byCheck: Readonly<Record<string, number>> }
}

/** Of people's translations in all languages, of requests in each; and microseconds a text. */
const goals = { catalogues: 0.0035, prose: 0.005, shifted: 0.95, cpu: 12 }

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

const flaggedBy = ({ byCheck, count }: People) =>
  Object.entries(byCheck)
    .filter(([, flagged]) => flagged > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, flagged]) => `${name} ${percent(flagged / count.all, 2)}`)

const kindsOfPeople = ["catalogues", "prose"] as const

const sum = (counts: ReadonlyArray<Count>): Count => ({
  all: counts.reduce((total, { all }) => total + all, 0),
  flagged: counts.reduce((total, { flagged }) => total + flagged, 0)
})

const allPeople = (
  languages: ReadonlyArray<LanguageResult>,
  kind: (typeof kindsOfPeople)[number]
): People => {
  const each = languages.map((language) => language[kind])
  const byCheck: Record<string, number> = {}
  for (const people of each)
    for (const [name, flagged] of Object.entries(people.byCheck))
      byCheck[name] = (byCheck[name] ?? 0) + flagged
  return {
    writers: Math.max(...each.map(({ writers }) => writers)),
    count: sum(each.map(({ count }) => count)),
    byCheck
  }
}

const peopleRow = (name: string, people: People, goal: number, most: number) => [
  name,
  `${people.count.all}`,
  `${people.writers}`,
  people.count.all < fewest ? "–" : marked(percent(share(people.count), 2), share(people.count) > goal),
  flaggedBy(people).slice(0, most).join(", ")
]

const peopleRows =
  (kind: (typeof kindsOfPeople)[number]) =>
  ({ half, languages }: Results): Rows => ({
    title: `People's translations of the ${half} half: ${kind}`,
    head: ["language", "pairs", "writers", `flagged, at most ${percent(goals[kind], 2)}`, "by check"],
    rows: [
      peopleRow("all", allPeople(languages, kind), goals[kind], 20),
      ...languages.map((each) => peopleRow(each.language, each[kind], goals[kind], 4))
    ]
  })

const total = (languages: ReadonlyArray<LanguageResult>, fault: string): Count =>
  sum(languages.map(({ byFault }) => byFault[fault]!))

const shareOrNone = (count: Count, goal: number | undefined, digits: number) =>
  count.all < fewest ? "–" : marked(percent(share(count), digits), goal !== undefined && share(count) < goal)

const faultRows = ({ half, languages }: Results): Rows => ({
  title: `Faults found in texts of the ${half} half`,
  head: ["fault", "goal", "made", "found", "least"],
  rows: faults.map(({ goal, name }) => {
    const least = languages
      .map(({ byFault, language }) => ({ language, count: byFault[name]! }))
      .filter(({ count }) => count.all >= fewest)
      .sort((one, other) => share(one.count) - share(other.count))
    const all = total(languages, name)
    return [
      name,
      goal === undefined ? "" : percent(goal, 0),
      `${all.all}`,
      shareOrNone(all, goal, 1),
      least
        .slice(0, 4)
        .map(({ count, language }) => `${language} ${shareOrNone(count, goal, 0)}`)
        .join(", ")
    ]
  })
})

const requestRows = ({ languages }: Results): Rows => ({
  title: "Requests whose texts are said to have the translations of those beside them",
  head: ["language", "requests", "right", "shifted", "shifted from the middle on"],
  rows: [...languages, undefined].map((each) => {
    const of = (kind: keyof LanguageResult["requests"]) =>
      each === undefined ? sum(languages.map(({ requests }) => requests[kind])) : each.requests[kind]
    return [
      each?.language ?? "all",
      `${of("right").all}`,
      shareOrNone(of("right"), undefined, 2),
      shareOrNone(of("shifted"), goals.shifted, 1),
      shareOrNone(of("half"), goals.shifted, 1)
    ]
  })
})

const columns = 12

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
  [
    ...kindsOfPeople.map((kind) => peopleRows(kind)(results)),
    faultRows(results),
    ...matrices(results),
    requestRows(results),
    cpuRows(results)
  ]
    .map(toTable)
    .concat(results.missing.length === 0 ? [] : `Not had or not read: ${results.missing.join("; ")}`)
    .join("\n\n")

export const toMarkdown = (results: Results): string =>
  [...kindsOfPeople.map((kind) => peopleRows(kind)(results)), faultRows(results), cpuRows(results)]
    .map(toMarkdownTable)
    .join("\n\n")

/** Whether a goal is missed: by the translations of people, or by a fault in any language. */
export const isMissed = ({ cpu, languages }: Results): boolean =>
  cpu.all > goals.cpu ||
  kindsOfPeople.some((kind) => share(allPeople(languages, kind).count) > goals[kind]) ||
  languages.some(({ requests: { half, shifted } }) =>
    [half, shifted].some((count) => count.all >= fewest && share(count) < goals.shifted)
  ) ||
  faults.some(
    ({ goal, name }) =>
      goal !== undefined &&
      languages.some(({ byFault }) => byFault[name]!.all >= fewest && share(byFault[name]!) < goal)
  )
