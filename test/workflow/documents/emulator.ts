/** An emulator with the faults of one test: `emulator.ts name`. */
import { Fault } from "effect-translate/emulator"
import { serve } from "../../support/emulatorProcess.js"

const isUpload = ({ path }: { readonly path: string }) => path === "/v2/document"
const isResult = ({ path }: { readonly path: string }) => path.endsWith("/result")

const faults: Readonly<Record<string, Fault.Fault>> = {
  upload: Fault.slow("2 seconds", { when: "after" }).pipe(Fault.where(isUpload)),
  request: Fault.slow("2 seconds").pipe(Fault.where(isResult)),
  body: Fault.slow("2 seconds", { when: "mid-body" }).pipe(Fault.where(isResult)),
  quota: Fault.status(456).pipe(Fault.times(3), Fault.where(isUpload)),
  clock: Fault.status(456).pipe(Fault.where(isUpload))
}

const fault = faults[process.argv[2] ?? ""]

serve({
  faults: fault === undefined ? [] : [fault],
  documents: { translationTime: process.argv[2] === "waiting" ? "15 seconds" : "1500 millis" }
})
