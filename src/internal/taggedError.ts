import type * as Cause from "effect/Cause"
import * as Schema from "effect/Schema"

type Tagged<Tag extends string, Fields extends Schema.Struct.Fields> = {
  readonly _tag: Schema.tag<Tag>
} & Fields

/** A `Schema.TaggedErrorClass` whose instances carry the `TypeId` of their module. */
export interface TaggedErrorClass<
  Self,
  Tag extends string,
  Fields extends Schema.Struct.Fields,
  TypeId extends symbol
> extends Schema.Class<
    Self,
    Fields,
    Schema.Struct.Encoded<Fields>,
    Schema.Struct.Context<Fields>,
    Schema.Struct.Constructor<Omit<Fields, "_tag">>,
    unknown,
    Cause.YieldableError & { readonly [Id in TypeId]: Id }
  > {
  readonly _tag: Tag
}

/**
 * Makes the error classes of a module:
 *
 *     const error = taggedError.make(TypeId)
 *     class NotReady extends error<NotReady>()("NotReady", { id: Schema.String }, ({ id }) => `${id} is not ready`) {}
 *
 * The identifier of the schema is `effect-translate/` and the tag.
 */
export const make =
  <TypeId extends symbol>(typeId: TypeId) =>
  <Self>() =>
  <const Tag extends string, Fields extends Schema.Struct.Fields>(
    tag: Tag,
    fields: Fields,
    /** The message, unless it is a field. */
    message?: (error: Schema.Struct.Type<Fields> & { readonly _tag: Tag }) => string
  ): TaggedErrorClass<Self, Tag, Tagged<Tag, Fields>, TypeId> => {
    const Base = Schema.TaggedError<unknown>(`effect-translate/${tag}`)(tag, fields)
    Object.defineProperty(Base.prototype, typeId, { value: typeId })
    if (message !== undefined) {
      Object.defineProperty(Base.prototype, "message", {
        get() {
          return message(this)
        }
      })
    }
    return Base as never
  }
