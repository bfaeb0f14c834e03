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

export const make = ({ delivered, post }: Endpoints): Writing => {
  const rephrase = delivered(
    Write.rephrase,
    "budgeted",
    post(Write.rephrase, Write.RephraseRequest, Write.ImproveResult),
    checks
  )
  const correct = delivered(
    Write.correct,
    "budgeted",
    post(Write.correct, Write.CorrectRequest, Write.ImproveResult),
    checks
  )
  return {
    rephrase: (request) => Effect.map(rephrase(request), improved),
    correct: (request) => Effect.map(correct(request), improved)
  }
}
