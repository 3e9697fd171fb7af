/** Takes away what the library repeats beside a reference: only words of its own may stand there. */
export function bareReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bareReferences)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, description } = node as { $ref?: unknown; description?: unknown }
  if (typeof $ref === 'string') return description === undefined ? { $ref } : { $ref, description }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, bareReferences(value)]))
}
