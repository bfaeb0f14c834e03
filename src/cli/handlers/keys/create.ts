import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as AdminClient from "../../../client/AdminClient.js"
import type { CreateInput } from "../../commands/keys.js"
import { Incomplete } from "../../failure.js"
import * as files from "../../files.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { masked, namesOf, shown } from "./keys.js"

const create = (label: string) =>
  Effect.flatMap(AdminClient.AdminClient, ({ developerKeys }) => developerKeys.create({ label }))

/** The file is made first: a key that can't be kept is not created. */
const createInto = (label: string, file: string) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const opened = yield* Effect.mapError(
        fs.open(file, { flag: "wx", mode: 0o600 }),
        files.unwritable(file)
      )
      const key = yield* Effect.onError(restore(create(label)), () => Effect.ignore(fs.remove(file)))
      yield* Effect.mapError(
        opened.writeAll(new TextEncoder().encode(`${Redacted.value(key.keyId)}\n`)),
        (error) =>
          new Incomplete({
            message: `${file} can't be written: ${files.reasonOf(error)}. Deactivate the key that was created: ${masked(key)}.`
          })
      )
      return key
    })
  ).pipe(Effect.scoped)

export const handle = ({ label, out }: CreateInput) =>
  Effect.gen(function* () {
    const { note, result } = yield* Output
    if (out !== undefined) {
      const key = yield* createInto(label, out)
      yield* result({ ...shown(key), file: out }, `Created ${namesOf([key])}: it is in ${out}.`)
      return
    }
    const key = yield* create(label)
    const keyId = Redacted.value(key.keyId)
    yield* result({ ...shown(key), keyId }, keyId)
    yield* note(`Created ${namesOf([key])}. Who has the key can use the account: keep it secret.`)
  }).pipe(Effect.provide(service.admin))
