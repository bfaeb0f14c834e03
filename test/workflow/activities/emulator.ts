/** An emulator that answers the second request for texts late, after it has billed it; the first one of text improvement. */
import { Fault } from "effect-translate/emulator"
import { serve } from "../../support/emulatorProcess.js"

serve({
  faults: [
    Fault.slow("2 seconds", { when: "after" }).pipe(
      Fault.after(1),
      Fault.where(({ path }) => path === "/v2/translate")
    ),
    Fault.slow("2 seconds", { when: "after" }).pipe(Fault.where(({ path }) => path === "/v2/write/correct"))
  ]
})
