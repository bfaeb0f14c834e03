/** The work of `memory push` and `memory pull`: corrections of the store as a translation memory of the service, and back. */
import * as Effect from "effect/Effect"
import * as TranslationMemorySync from "../store/TranslationMemorySync.js"
import type { memory } from "./declarations/texts.js"
import { usage } from "./failure.js"
import { Output } from "./output.js"
import * as pushedMemory from "./pushedMemory.js"
import * as service from "./serviceClient.js"
import type { InputOf } from "./settings/declarations.js"
import * as stores from "./storeOption.js"
import * as text from "./textTable.js"
import * as translationMemories from "./translationMemory.js"

type Commands = (typeof memory)["commands"]

const describe = (name: string, pushed: TranslationMemorySync.Pushed): string => {
  const { added, deleted, isNew, kept, leftOut, replaced, skipped, superseded, translationMemoryId } = pushed
  if (translationMemoryId === undefined) return "There are no corrections to push."
  const segments = `${text.count(added)} added, ${text.count(replaced)} replaced, ${text.count(kept)} as they were`
  return text.lines(
    isNew
      ? `${name} is the translation memory ${translationMemoryId} now: ${segments}.`
      : `${name} (${translationMemoryId}) holds all corrections already.`,
    leftOut > 0 &&
      `${text.plural(leftOut, "correction")} left out: from another language, or with characters that TMX can't hold.`,
    skipped > 0 &&
      `${text.plural(skipped, "segment")} could not be taken over: so the memory before it stays.`,
    deleted.map((id) => `Deleted ${id}, which it has taken the place of.`),
    superseded.length > 0 &&
      `It has taken the place of ${superseded.join(", ")}: --delete-old deletes the old ones.`
  )
}

/** `memory push`. */
export const push = ({ deleteOld, from, name, store }: InputOf<Commands["push"]>) =>
  Effect.gen(function* () {
    const found = yield* stores.openExisting(store, {})
    const pushed = yield* TranslationMemorySync.push({
      name,
      journal: pushedMemory.journalOf(found),
      sourceLang: from,
      deleteOld
    }).pipe(
      Effect.provide(found.layer),
      Effect.catchTag("SourceLanguageUnclear", ({ languages }) =>
        usage(
          `A translation memory has one source language, and the corrections name ${languages.length === 0 ? "none" : languages.join(", ")}: say which by --from.`
        )
      )
    )
    yield* Output.result({ store: found.name, name, ...pushed }, describe(name, pushed))
  }).pipe(Effect.provide(service.client))

/** The memory of an id or a name; of several of that name, the one that was pushed last. */
const find = (reference: string, store: string | undefined) =>
  Effect.gen(function* () {
    const pushed = yield* pushedMemory.idsOf(reference, store)
    const all = yield* translationMemories.all
    const last = all.find(
      ({ name, translationMemoryId }) => name === reference && pushed.includes(translationMemoryId)
    )
    return last ?? (yield* translationMemories.find(reference))
  })

/** `memory pull`. */
export const pull = ({ existing, store, translationMemory }: InputOf<Commands["pull"]>) =>
  Effect.gen(function* () {
    const { name, translationMemoryId } = yield* find(translationMemory, store)
    const opened = yield* stores.open(store)
    const pulled = yield* Effect.provide(
      TranslationMemorySync.pull(translationMemoryId, { existing }),
      opened.layer
    )
    const { added, equal, kept, leftOut, overwritten } = pulled
    yield* Output.result(
      { store: opened.name, translationMemoryId, ...pulled },
      text.lines(
        `${text.plural(added, "correction")} of ${name} added to ${opened.name}; ${text.count(equal)} there already.`,
        kept > 0 &&
          `${text.plural(kept, "correction")} of the store differ from it, and stay: --existing overwrite takes those of the service.`,
        overwritten > 0 && `${text.plural(overwritten, "correction")} of the store overwritten.`,
        leftOut > 0 && `${text.plural(leftOut, "text")} left out, whose language the service does not say.`
      )
    )
  }).pipe(Effect.provide(service.client))
