import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import type * as Schema from "effect/Schema"
import { glob } from "tinyglobby"
import { isMarked, type Marked } from "../../src/internal/taggedError.js"

type LibraryError = Marked & { readonly _tag: string; readonly message: string }

interface ErrorClass extends Schema.Schema<LibraryError> {
  readonly identifier: string
  readonly prototype: LibraryError
}

/** Every class of errors that a module of the library exports, by the identifier of its schema. */
export const load = async (): Promise<ReadonlyMap<string, ErrorClass>> => {
  const files = await glob(
    "src/{api,text,format,client,admin,store,stream,sql,glossary,document,job,workflow,emulator}/*.ts"
  )
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `../../${file}`) as Promise<object>)
  )
  const classes = modules
    .flatMap((module): ReadonlyArray<unknown> => Object.values(module))
    .filter((value): value is ErrorClass => typeof value === "function" && isMarked(value.prototype))
  return new Map(classes.map((each) => [each.identifier.replace("effect-translate/", ""), each]))
}

/** Errors of a class, with random fields. */
export const samples = (errors: ErrorClass, count = 30): ReadonlyArray<LibraryError> =>
  FastCheck.sample(Arbitrary.make(errors), { numRuns: count, seed: 1 })
