import * as Effect from "effect/Effect"
import * as Write from "../../api/Write.js"
import type { Writing } from "../Writing.js"
import type { Delivered } from "./call.js"
import type { Endpoints } from "./endpoints.js"
import { sizeOf } from "./texts.js"

const checks = {
  size: sizeOf,
  expect: ({ text }: Write.CorrectRequest, { improvements }: Write.ImproveResult) =>
    [text.length, improvements.length] as const
}

const improved = ({ attempts, ambiguousAttempts, value }: Delivered<Write.ImproveResult>) => ({
  improvements: value.improvements,
  attempts,
  ambiguousAttempts
})

export const make = ({ api, delivered }: Endpoints): Writing => {
  const rephrase = delivered(
    Write.rephrase,
    "budgeted",
    (payload: Write.RephraseRequest) => api.write.rephrase({ payload }),
    checks
  )
  const correct = delivered(
    Write.correct,
    "budgeted",
    (payload: Write.CorrectRequest) => api.write.correct({ payload }),
    checks
  )
  return {
    rephrase: (request) => Effect.map(rephrase(request), improved),
    correct: (request) => Effect.map(correct(request), improved)
  }
}
