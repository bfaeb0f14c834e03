/** The emulator in a process of its own, which tells its meter to its parent. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { Emulator, Fault } from "effect-translate/emulator"

const serve = Effect.gen(function* () {
  const { meter, url } = yield* Emulator.Emulator
  const runtime = yield* Effect.runtime()
  process.on("message", () => {
    Runtime.runPromise(runtime)(meter).then((meter) => process.send?.({ meter }))
  })
  process.on("disconnect", () => process.exit(0))
  process.send?.({ url })
})

Layer.launch(
  Layer.provide(
    Layer.effectDiscard(serve),
    Emulator.layerNode({
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
  )
).pipe(NodeRuntime.runMain)
