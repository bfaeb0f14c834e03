/** Splitting of a million characters. */
import { expect, it } from "@effect/vitest"
import { jsonBytes } from "../../src/internal/utf8.js"
import * as OversizedText from "../../src/text/OversizedText.js"
import * as cpuTime from "../support/cpuTime.js"

const { join, split } = OversizedText

it.each([
  ["sentences", "The quick brown fox jumps over the lazy dog. ", 1024],
  ["lines", "the quick brown fox jumps over the lazy dog\n", 1024],
  ["one word", "x", 1024],
  ["spaces", "a    ", 1024],
  ["one sentence without spaces", "今天天气很好我们去公园玩吧", 1024],
  ["one character", "\u0301", 131072]
])("a text is split in time in proportion to it: 1,000,000 characters of %s", (_, unit, maxBytes) => {
  const text = unit.repeat(1_000_000 / unit.length)
  const used = cpuTime.start()
  const segments = split(text, { maxBytes })
  expect(used()).toBeLessThan(3000)
  expect(join(segments, [])).toBe(text)
  const bytes = segments.reduce((sum, { text }) => sum + jsonBytes(text), 0)
  expect(segments.length).toBeLessThanOrEqual(Math.ceil((bytes / maxBytes) * 1.1) + 1)
})
