import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as CorpusJob from "../../CorpusJob.js"
import type * as JobControl from "./jobControlModels.js"

const encode = Schema.encodeSync(Schema.parseJson(CorpusJob.Status))

const isSame = (a: CorpusJob.Status, b: CorpusJob.Status) => encode(a) === encode(b)

/** Asks for the status of a job again and again. */
export const make =
  (status: JobControl.Service["status"]): JobControl.Service["watch"] =>
  (id, { interval = "1 second" } = {}) =>
    Stream.repeatEffectWithSchedule(status(id), Schedule.spaced(interval)).pipe(
      Stream.changesWith(isSame),
      Stream.takeUntil(CorpusJob.isEnded)
    )
