import { Fault } from "effect-translate/emulator"
import { serve } from "../../support/emulatorProcess.js"

serve({
  latency: "10 millis",
  // Slow enough to be killed meanwhile.
  faults: [
    Fault.slow("100 millis", { when: "mid-body" }).pipe(
      Fault.times(Number.POSITIVE_INFINITY),
      Fault.where(({ path }) => path.endsWith("/result"))
    )
  ],
  documents: { queueTime: "100 millis", translationTime: "200 millis", secondsRemaining: "absurd" }
})
