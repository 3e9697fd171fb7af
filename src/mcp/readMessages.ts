import { limits } from '../contract/limits.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import { parseJson } from '../transport/readJson.ts'

/** A body that is not a valid message; `code` is a JSON-RPC error code. */
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
 * Parses the message of a request, or the batch where its revision permits one.
 * Throws {@link ProtocolFault}. Limits of nesting and text are those of REST.
 */
export function readMessages(bytes: Buffer, { allowsBatch }: { allowsBatch: boolean }): unknown {
  const read = parsed(bytes)
  if (!Array.isArray(read)) return read
  if (!allowsBatch) throw new ProtocolFault(requestFault, 'This protocol revision does not support batches. Send one message.')
  if (read.length === 0 || read.length > limits.agentBatchMessages)
    throw new ProtocolFault(requestFault, `Takes 1 to ${limits.agentBatchMessages} messages in a batch.`)
  return read
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    throw error instanceof Refusal ? new ProtocolFault(parseFault, error.message) : error
  }
}

/** The number of messages of a body. */
export function countOf(messages: unknown): number {
  return Array.isArray(messages) ? messages.length : 1
}
