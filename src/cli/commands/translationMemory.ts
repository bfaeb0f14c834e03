import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as DocumentSource from "../../client/DocumentSource.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import type { Actions } from "../command.js"
import type { translationMemory } from "../declarations/account.js"
import * as files from "../namedFiles.js"
import * as optionFlags from "../optionFlags.js"
import { besideFile, Output } from "../output.js"
import * as service from "../serviceClient.js"
import { confirm } from "../terminal/prompt.js"
import * as text from "../textTable.js"
import * as translationMemories from "../translationMemory.js"

export const actions: Actions<typeof translationMemory> = {
  list: () =>
    Effect.gen(function* () {
      const all = yield* translationMemories.all
      if (all.length === 0) yield* Output.note("There are no translation memories.")
      yield* Output.result(
        { translationMemories: all },
        all.length === 0
          ? ""
          : text.table(
              ["id", "name", "from", "to", "segments", "created"],
              all.map((memory) => [
                memory.translationMemoryId,
                memory.name,
                memory.sourceLanguage,
                memory.targetLanguages?.join(" "),
                memory.segmentCount,
                memory.creationTime && DateTime.formatIsoDateUtc(memory.creationTime)
              ])
            )
      )
    }).pipe(Effect.provide(service.client)),

  show: ({ caseSensitive, limit, text: wanted, translationMemory }) =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const { name, translationMemoryId } = yield* translationMemories.find(translationMemory)
      const query = wanted === undefined ? {} : { filterText: wanted, filterCaseSensitive: caseSensitive }
      const found = Chunk.toReadonlyArray(
        yield* client.translationMemories
          .segmentsStream(translationMemoryId, query)
          .pipe(Stream.take(limit + 1), Stream.runCollect)
      )
      const segments = found.slice(0, limit)
      if (found.length > limit)
        yield* Output.note(`There are more than ${text.count(limit)}: see --limit and --text.`)
      if (found.length === 0) yield* Output.note(`${name} has no such segments.`)
      yield* Output.result(
        { translationMemoryId, segments },
        found.length === 0
          ? ""
          : text.table(
              ["source", "to", "translation"],
              segments.flatMap(({ sourceText, targets }) =>
                targets.map(({ targetLanguage, targetText }) => [sourceText, targetLanguage, targetText])
              )
            )
      )
    }).pipe(Effect.provide(service.client), Effect.mapError(optionFlags.inFlags({ filterText: "--text" }))),

  import: ({ file, name }) =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const source = yield* Effect.mapError(DocumentSource.fromPath(file), files.unreadable(file))
      const imported = yield* client.translationMemories.importTmx(source, { name }).pipe(
        Effect.catchTags({ BadArgument: files.unreadable(file), SystemError: files.unreadable(file) }),
        Effect.mapError(
          optionFlags.inFlags({
            "sourceFile.contentLength": `the size of ${file}`,
            "sourceFile.fileName": `the name of ${file}`,
            "parameters.displayName": "--name"
          })
        )
      )
      const { skippedSegmentCount, translationMemoryId = "without an id" } = imported
      yield* Output.result(
        imported,
        `Translation memory ${translationMemoryId} made of ${file}, without ${text.plural(skippedSegmentCount, "segment")} that the service has left out.`
      )
    }).pipe(Effect.provide(service.client)),

  export: (input) =>
    Effect.gen(function* () {
      const { out, translationMemory } = input
      const { result } = yield* besideFile(out, input)
      const client = yield* TranslateClient.TranslateClient
      const { name, translationMemoryId } = yield* translationMemories.find(translationMemory)
      yield* files.write(out, client.translationMemories.exportTmx(translationMemoryId))
      yield* result({ translationMemoryId, file: out }, `${name} written to ${files.nameOf(out)}.`)
    }).pipe(Effect.provide(service.client)),

  delete: ({ translationMemories: references, yes }) =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const found = yield* Effect.forEach([...new Set(references)], translationMemories.find)
      const names = found.map(({ name, translationMemoryId }) => `${name} (${translationMemoryId})`)
      yield* confirm(`Delete ${names.join(", ")} for good?`, { yes })
      yield* Effect.forEach(found, ({ translationMemoryId }) =>
        client.translationMemories.delete(translationMemoryId)
      )
      yield* Output.result(
        { deleted: found.map(({ name, translationMemoryId }) => ({ translationMemoryId, name })) },
        names.map((name) => `Deleted ${name}.`).join("\n")
      )
    }).pipe(Effect.provide(service.client))
}
