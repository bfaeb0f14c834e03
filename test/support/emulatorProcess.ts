/** The emulator in a process of its own, which tells its meter to its parent. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { Emulator } from "effect-translate/emulator"

const announced = Effect.gen(function* () {
  const { meter, url } = yield* Emulator.Emulator
  const runtime = yield* Effect.runtime()
  process.on("message", () => {
    Runtime.runPromise(runtime)(meter).then((meter) => process.send?.({ meter }))
  })
  process.on("disconnect", () => process.exit(0))
  process.send?.({ url })
})

export const serve = (options: Emulator.Options): void =>
  Layer.launch(Layer.provide(Layer.effectDiscard(announced), Emulator.layerNode(options))).pipe(
    NodeRuntime.runMain
  )
