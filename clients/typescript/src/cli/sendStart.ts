import { AtelierError } from '../errors/atelierError.ts'
import type { Invocation } from './command.ts'

type Start<Answer> = {
  /** Sends the request until the signal aborts. */
  send: (signal: AbortSignal) => Promise<Answer>
  /** The lines to continue with when the answer is lost. */
  nextSteps: () => string[]
}

/** Sends a start. Ctrl-C waits for its answer; a second Ctrl-C does not wait. Prints the next steps when the answer is lost. */
export async function sendStart<Answer>({ output, context }: Invocation, { send, nextSteps }: Start<Answer>): Promise<Answer> {
  context.interrupted.throwIfAborted()
  const whileStarting = () => output.warn('The start was sent; its answer is a moment away. Press Ctrl-C again to leave at once.')
  context.interrupted.addEventListener('abort', whileStarting)
  try {
    return await send(context.killed)
  } catch (error) {
    if (context.killed.aborted || mayHaveStarted(error)) for (const line of nextSteps()) output.warn(line)
    throw error
  } finally {
    context.interrupted.removeEventListener('abort', whileStarting)
  }
}

/** `family_unavailable` is sent only after the check for a repeated start. */
function mayHaveStarted(error: unknown): boolean {
  if (!(error instanceof AtelierError) || error.code === 'family_unavailable') return false
  return error.kind === 'service' || error.kind === 'connection' || error.code === 'idempotency_in_progress'
}
