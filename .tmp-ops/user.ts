import { TranslateError } from "./dist/index.js"
const e = new TranslateError.BadRequest({ method: "GET", path: "/", delivery: "rejected", attempts: 1, ambiguousAttempts: 0, status: 400 })
const m: string = e.message
const t: "BadRequest" = e._tag
const id: typeof TranslateError.TypeId = e[TranslateError.TypeId]
export { m, t, id }
