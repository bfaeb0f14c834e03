/** The script that a user would write: Papa Parse or lines of JSON, `deepl-node`, eight requests at once, and output in order. */

import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import { finished } from "node:stream/promises"
import { type TargetLanguageCode, Translator } from "deepl-node"
import Papa from "papaparse"

const [file = "", ...targets] = process.argv.slice(2)
const translator = new Translator(process.env.LANGUAGE_SERVICE_KEY!, {
  serverUrl: process.env.LANGUAGE_SERVICE_URL!
})

interface Row {
  id: string
  text: string
}

const isCsv = file.endsWith(".csv")

async function* rows(): AsyncGenerator<Row> {
  const input = createReadStream(file)
  if (isCsv) yield* input.pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true })) as AsyncIterable<Row>
  else for await (const line of createInterface({ input })) yield JSON.parse(line)
}

async function* batches(): AsyncGenerator<Array<Row>> {
  let batch: Array<Row> = []
  for await (const row of rows()) {
    batch.push(row)
    if (batch.length === 50) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const concurrency = 8

const outputs = targets.map((target) => {
  const stream = createWriteStream(file.replace(/(\.[^.]+)$/, `.${target}$1`))
  if (isCsv) stream.write("id,text\n")
  const inFlight: Array<Promise<string>> = []
  const translate = async (batch: ReadonlyArray<Row>): Promise<string> => {
    const texts = batch.map(({ text }) => text)
    const results = await translator.translateText(texts, null, target as TargetLanguageCode)
    const translated = batch.map((row, index) => ({ ...row, text: results[index]!.text }))
    return isCsv
      ? `${Papa.unparse(translated, { header: false, newline: "\n" })}\n`
      : translated.map((row) => `${JSON.stringify(row)}\n`).join("")
  }
  const writeFirst = async () => {
    if (!stream.write(await inFlight.shift())) await once(stream, "drain")
  }
  return {
    add: async (batch: ReadonlyArray<Row>) => {
      inFlight.push(translate(batch))
      if (inFlight.length >= concurrency) await writeFirst()
    },
    end: async () => {
      while (inFlight.length > 0) await writeFirst()
      stream.end()
      await finished(stream)
    }
  }
})

for await (const batch of batches()) await Promise.all(outputs.map((output) => output.add(batch)))
await Promise.all(outputs.map((output) => output.end()))
