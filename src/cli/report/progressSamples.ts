/** The samples of a job, one a second: bounded, however long it takes. */
import type { Sample } from "../../pages/report/reportData.js"

const most = 1024

/** In seconds: a rate over less says nothing. */
const least = 0.5

/** Once there are too many, every other one goes, and they are taken half as often. */
export const make = () => {
  let samples: Array<Sample> = []
  let every = 1
  let calls = 0
  return {
    add: (sample: Sample): void => {
      if (calls++ % every !== 0) return
      if (samples.length === most) {
        samples = samples.filter((_, index) => index % 2 === 0)
        every *= 2
      }
      samples.push(sample)
    },
    /** All of them, and one of the end: in place of the last one, if that is as good as the end. */
    endingWith: (end: Sample): ReadonlyArray<Sample> => [
      ...samples.filter(({ at }, index) => index === 0 || end.at - at >= least),
      end
    ]
  }
}
