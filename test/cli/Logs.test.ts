/** Warnings of the library, as the command line prints them. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as logs from "../../src/cli/logs.js"
import * as Output from "../../src/cli/output.js"

it.effect("a warning is a line on standard error: standard output may hold a translation", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const output = {
      ...Output.make({ json: false, quiet: false, verbose: false }),
      log: (line: string) => void lines.push(line)
    }
    yield* Effect.logWarning("The bill can't be read.").pipe(
      Effect.provide(logs.layer),
      Effect.provideService(Output.Output, output)
    )
    expect(lines).toEqual(["warn: The bill can't be read."])
  })
)
