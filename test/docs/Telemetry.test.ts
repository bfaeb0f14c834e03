/** The guide and the dashboard name what the code makes. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { root } from "../examples/process.js"

const sources = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(`${root}/src/${file}`, "utf8"))
  .join("\n")

/** What the group of a pattern finds in the sources. */
const named = (pattern: RegExp) => [...new Set(Array.from(sources.matchAll(pattern), ([, name]) => name!))]

const counters = named(/Metric\.counter\(\s*"(\w+)"/g)
const tags = named(/MetricLabel\.make\("(\w+)"/g)
const spans = named(/"(effect-translate\.\w+)"/g)
const attributes = named(/"(translate\.\w+)"/g)

const guide = readFileSync(`${root}/docs/telemetry.md`, "utf8")
const dashboard = readFileSync(`${root}/docs/grafana-dashboard.json`, "utf8")

const found = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name!))].sort()

describe("the guide to telemetry", () => {
  it("names every counter with its tags, every span and every attribute", () => {
    expect(counters).toHaveLength(4)
    expect(spans).toContain("effect-translate.batch")
    expect(attributes).toContain("translate.texts")
    const missing = [...counters, ...tags, ...spans, ...attributes].filter(
      (name) => !guide.includes(`\`${name}\``)
    )
    expect(missing).toEqual([])
  })

  it("names no counter, span or attribute that the code does not make", () => {
    expect(found(guide, /`(effect_translate_\w+)`/g)).toEqual([...counters].sort())
    expect(found(guide, /`(effect-translate\.\w+)`/g)).toEqual([...spans].sort())
    expect(found(guide, /`(translate\.\w+)`/g)).toEqual([...attributes].sort())
  })
})

describe("the dashboard", () => {
  it("shows every counter, by tags that it has", () => {
    expect(found(dashboard, /(effect_translate_\w+)/g)).toEqual(
      counters.map((name) => `${name}_total`).sort()
    )
    // `job` is what Prometheus calls the name of the service.
    const known = [...tags, "job"]
    const used = found(dashboard, /(?:[{,] ?|by \(|\{\{)(\w+)(?==~?\\"|\)|\}\})/g)
    expect(used).toEqual(known.sort())
  })

  it("has panels that do not overlap, each with a query", () => {
    const { panels } = JSON.parse(dashboard)
    const cells = panels.flatMap(
      ({ gridPos: { h, w, x, y } }: { readonly gridPos: Record<"h" | "w" | "x" | "y", number> }) =>
        Array.from({ length: h * w }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`)
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { targets } of panels) expect(targets.length).toBeGreaterThan(0)
  })
})
