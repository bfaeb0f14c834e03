/** Runs one subject in a process of its own and prints what it took. */
import { type Language, type Subject, texts } from "./corpus.js"

const [name, url, language, count, concurrency, warmUp] = process.argv.slice(2)

if (name !== undefined && url !== undefined) {
  const { run } = (await import(`./subjects/${name}.js`)) as { run: Subject }
  const corpus = (size: number) => texts(language as Language, size)
  if (Number(warmUp) > 0) await run(url, corpus(Number(warmUp)), Number(concurrency))
  const start = performance.now()
  const characters = await run(url, corpus(Number(count)), Number(concurrency))
  const seconds = (performance.now() - start) / 1000
  const { system, user } = process.cpuUsage()
  process.send?.({
    characters,
    seconds,
    cpuMicros: system + user,
    peakRssMiB: process.resourceUsage().maxRSS / 1024
  })
}
