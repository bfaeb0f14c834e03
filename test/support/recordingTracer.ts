import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** A tracer that keeps the spans it is asked for, and all that they were ever told. */
export const recordingTracer = () => {
  const spans: Array<{
    readonly name: string
    readonly attributes: Map<string, unknown>
    readonly hasParent: boolean
    readonly parent: Option.Option<Tracer.AnySpan>
    readonly links: ReadonlyArray<Tracer.SpanLink>
  }> = []
  const told: Array<readonly [key: string, value: unknown]> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      spans.push({ name, attributes, hasParent: Option.isSome(parent), parent, links })
      return {
        _tag: "Span",
        spanId: String(spans.length),
        traceId: "1",
        name,
        parent,
        context,
        links,
        kind,
        sampled: true,
        status: { _tag: "Started", startTime },
        attributes,
        attribute: (key, value) => {
          attributes.set(key, value)
          told.push([key, value])
        },
        event: () => {},
        addLinks: () => {},
        end: () => {}
      }
    },
    context: (execute) => execute()
  })
  return { spans, told, tracer }
}
