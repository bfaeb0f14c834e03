import * as Effect from "effect/Effect"
import type * as ServiceError from "../../api/ServiceError.js"

type Errors = { readonly [Tag in keyof typeof ServiceError]: (typeof ServiceError)[Tag]["Type"] }

/** Fails with an error of the contract. */
export const refusal = <Tag extends keyof Errors>(
  _tag: Tag,
  message: string,
  detail?: string
): Effect.Effect<never, Errors[Tag]> => Effect.fail({ _tag, message, detail } as Errors[Tag])
