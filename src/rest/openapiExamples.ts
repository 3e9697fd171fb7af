import type { Endpoint, Example } from './endpoint.ts'

/** The examples in `components`, each with its name there. */
export type SharedExamples = ReadonlyMap<Example, string>

/** The examples of several operations, named after the first operation: `getGeneration.ready`. */
export function sharedExamples(endpoints: Endpoint[]): SharedExamples {
  const firstNames = new Map<Example, string>()
  const shared = new Map<Example, string>()
  for (const { operationId, body, streamedBody, success } of endpoints) {
    const records = [body, success, ...Object.values(streamedBody?.content ?? {})].map((shown) => shown?.examples ?? {})
    for (const [name, example] of records.flatMap((record) => Object.entries(record))) {
      const first = firstNames.get(example)
      if (first === undefined) firstNames.set(example, `${operationId}.${name}`)
      else shared.set(example, first)
    }
  }
  return shared
}

/** The field `examples` of some content, if it has any: shared ones as references. */
export function examplesField(examples: Record<string, Example> | undefined, shared: SharedExamples) {
  if (!examples) return {}
  const shown = Object.entries(examples).map(([name, example]) => {
    const sharedName = shared.get(example)
    return [name, sharedName === undefined ? example : { $ref: `#/components/examples/${sharedName}` }] as const
  })
  return { examples: Object.fromEntries(shown) }
}
