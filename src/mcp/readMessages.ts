import { limits } from '../contract/limits.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import { parseJson } from '../transport/readJson.ts'

/** What makes a body none of the protocol's; `code` is one of JSON-RPC. */
export class ProtocolFault extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'ProtocolFault'
    this.code = code
  }
}

const parseFault = -32700
export const requestFault = -32600

/**
 * Reads the message of a request, or the messages where its revision takes several at once.
 * Throws {@link ProtocolFault}. How deep a body may nest, and which text it may hold, is as in REST.
 */
export function readMessages(bytes: Buffer, { allowsBatch }: { allowsBatch: boolean }): unknown {
  const read = parsed(bytes)
  if (!Array.isArray(read)) return read
  if (!allowsBatch) throw new ProtocolFault(requestFault, 'This revision takes one message at a time.')
  if (read.length === 0 || read.length > limits.agentBatchMessages)
    throw new ProtocolFault(requestFault, `Takes 1 to ${limits.agentBatchMessages} messages at once.`)
  return read
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    throw error instanceof Refusal ? new ProtocolFault(parseFault, error.message) : error
  }
}

/** How many messages a body holds. */
export function countOf(messages: unknown): number {
  return Array.isArray(messages) ? messages.length : 1
}
