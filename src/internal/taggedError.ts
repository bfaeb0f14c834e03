/** Makes the error classes of the library, and their guards. */
import * as Arr from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"

/** Holds the identifier of an error's class, by which another copy of the library knows it too. */
const TypeId: unique symbol = Symbol.for("effect-translate/Error")

/** The marks of every error of the library. */
export interface Marked {
  /** The message without the call, the file or the line that it begins with. */
  readonly explanation: string
  /** True if the same may succeed a little later, with nothing changed. */
  readonly isRetryable: boolean
  /** True if the rest of a run would meet it too: all other texts, documents and files. */
  readonly isFatal: boolean
}

/** A `Schema.TaggedErrorClass` whose instances are {@link Marked}. */
export interface TaggedErrorClass<Self, Tag extends string, Fields extends Schema.Struct.Fields>
  extends Schema.Class<
    Self,
    { readonly _tag: Schema.tag<Tag> } & Fields,
    Schema.Struct.Encoded<{ readonly _tag: Schema.tag<Tag> } & Fields>,
    Schema.Struct.Context<Fields>,
    Schema.Struct.Constructor<Fields>,
    unknown,
    Cause.YieldableError & Marked
  > {
  readonly _tag: Tag
}

/** A mark of a class, or of each of its errors. */
type Mark<Error> = boolean | ((error: Error) => boolean)

/**
 * An error with a tag, fields, a message that is made of them, and marks, each `false` unless it is given:
 *
 *     class NotReady extends TaggedError<NotReady>()("NotReady", { id: Schema.String }, ({ id }) => `${id} is not ready`, {
 *       isRetryable: true
 *     }) {}
 *
 * A message of two parts is a place and its explanation.
 */
export const TaggedError =
  <Self>() =>
  <const Tag extends string, Fields extends Schema.Struct.Fields>(
    tag: Tag,
    fields: Fields,
    /** Left out if it is a field. */
    message?: (
      error: Schema.Struct.Type<Fields> & { readonly _tag: Tag }
    ) => string | readonly [place: string, explanation: string],
    marks: { readonly [name in "isRetryable" | "isFatal"]?: Mark<Schema.Struct.Type<Fields>> } = {}
  ): TaggedErrorClass<Self, Tag, Fields> => {
    const name = `effect-translate/${tag}`
    let encode: ((error: unknown) => string) | undefined
    const jsonOf = (error: unknown): string => {
      encode ??= Schema.encodeUnknownSync(
        Schema.parseJson(Schema.Struct({ ...fields, _tag: Schema.String })) as unknown as Schema.Schema<
          unknown,
          string
        >
      )
      return encode(error)
    }
    // A field that is undefined is left out: JSON leaves it out too, and the error stays equal to itself.
    const Base = class extends (Schema.TaggedError<unknown>(name)(tag, fields) as unknown as new (
      fields: Record<string, unknown>,
      options?: Schema.MakeOptions
    ) => object) {
      constructor(fields: Record<string, unknown>, options?: Schema.MakeOptions) {
        super(Record.filter(fields ?? {}, Predicate.isNotUndefined), options)
      }

      /** By their JSON: lists and plain objects have no equality of their own. */
      [Equal.symbol](that: unknown): boolean {
        return identifierOf(that as object) === name && jsonOf(this) === jsonOf(that)
      }

      [Hash.symbol](): number {
        return Hash.string(name + jsonOf(this))
      }
    }
    const define = (key: PropertyKey, value: unknown) =>
      Object.defineProperty(
        Base.prototype,
        key,
        Predicate.isFunction(value)
          ? {
              get() {
                return value(this)
              }
            }
          : { value }
      )
    define(TypeId, name)
    define("isRetryable", marks.isRetryable ?? false)
    define("isFatal", marks.isFatal ?? false)
    const said = message ?? (({ message }: { readonly message?: string }) => message ?? "")
    define("explanation", (error: never) => Arr.ensure(said(error)).at(-1))
    if (message !== undefined) define("message", (error: never) => Arr.ensure(message(error)).join(": "))
    return Base as never
  }

type ErrorClass = Schema.Schema.Any & { readonly prototype: Cause.YieldableError & Marked }

type Errors = ErrorClass | (Schema.Schema.Any & { readonly members: ReadonlyArray<ErrorClass> })

/** Returns `true` for an error of the library. */
export const isMarked = (value: unknown): value is Marked & { readonly _tag: string } =>
  Predicate.hasProperty(value, TypeId)

const identifierOf = (value: object): unknown => (value as { readonly [TypeId]?: unknown })[TypeId]

/** The guard of classes, and of unions of them. */
export const is = <const All extends ReadonlyArray<Errors>>(
  ...errors: All
): ((value: unknown) => value is Schema.Schema.Type<All[number]>) => {
  const classes = errors.flatMap((each) => ("members" in each ? each.members : [each]))
  const identifiers = new Set(classes.map(({ prototype }) => identifierOf(prototype)))
  return (value): value is Schema.Schema.Type<All[number]> =>
    isMarked(value) && identifiers.has(identifierOf(value))
}
