import type { Atelier } from '../../atelier.ts'
import { AtelierError } from '../../atelierError.ts'
import type { Generation, GenerationRequest, StartedGeneration } from '../../openapi.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { describeError } from '../describeError.ts'
import { finish } from '../finish.ts'
import { follow } from '../follow.ts'
import type { Uploaded } from '../inputs.ts'
import { requestOptions, saveOptions, serviceOptions, startOptions, waitOptions } from '../options.ts'
import { laterCommands, repeatCommand } from '../repeatCommand.ts'
import { requestOf } from '../request.ts'
import { saveTargetOf } from '../saveTarget.ts'
import { UsageError } from '../usageError.ts'
import { countWords } from '../writeGeneration.ts'

/** How long a cancel after Ctrl-C may take. */
const cancelSeconds = 30

/** Starts once, waits, saves. */
export const run: Command = {
  name: 'run',
  usage: ['<family> [prompt]'],
  summary: 'make something: start it, wait for it, save it',
  about: `Prints the path of the saved file, or else the link of the result. A prompt of - is read from standard input.
Ctrl-C ends the waiting, not the generation, and says how to go on.`,
  options: {
    ...requestOptions,
    ...startOptions,
    ...saveOptions,
    ...waitOptions,
    'no-wait': { type: 'boolean', help: 'print the identifier as soon as it has started' },
    'cancel-on-interrupt': { type: 'boolean', help: 'Ctrl-C cancels the generation; what had begun is charged' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, world } = invocation
    const target = await saveTargetOf(given)
    const isLeft = given.flag('no-wait')
    if (isLeft && target) throw new UsageError('--no-wait leaves nothing to save: take -o away, or use `wait -o` later.')
    const timeoutSeconds = given.seconds('timeout')
    const client = await connect(invocation)
    const { request, uploaded } = await requestOf(client, invocation)
    const started = await startOnce(client, invocation, request, uploaded)
    if (isLeft) return output.isJson ? output.json(started) : output.data(started.generationId)
    output.note(`${started.generationId} ${started.replayed ? 'had started before' : `started, ${countWords(started.creditsHeld)} held`}`)
    const ended = await withNextSteps(client, invocation, started, () =>
      follow(client, started, { output, signal: world.interrupted, timeoutSeconds }),
    )
    return await withNextSteps(client, invocation, ended, () => finish(client, invocation, ended, target))
  },
}

/** A start goes through to its answer: Ctrl-C waits for that, a second one does not, and says how to find out. */
async function startOnce(
  client: Atelier,
  invocation: Invocation,
  request: GenerationRequest,
  uploaded: Uploaded,
): Promise<StartedGeneration> {
  const { given, output, world } = invocation
  const idempotencyKey = given.text('idempotency-key') ?? crypto.randomUUID()
  world.interrupted.throwIfAborted()
  const whileStarting = () => output.warn('The start is under way; its answer is a moment away. Ctrl-C again leaves at once.')
  world.interrupted.addEventListener('abort', whileStarting)
  try {
    return await client.start(request, { idempotencyKey, signal: world.abandoned })
  } catch (error) {
    if (world.abandoned.aborted || mayHaveStarted(error)) {
      output.warn('Whether it has started is not known. This goes on with it, and never pays twice:')
      output.warn(`  ${repeatCommand(given, { request, uploaded, idempotencyKey })}`)
    }
    throw error
  } finally {
    world.interrupted.removeEventListener('abort', whileStarting)
  }
}

/** A family that is locked is found out after a repeat would have been known. */
function mayHaveStarted(error: unknown): boolean {
  if (!(error instanceof AtelierError) || error.code === 'family_unavailable') return false
  return error.kind === 'service' || error.kind === 'connection' || error.code === 'idempotency_in_progress'
}

/** Does what takes long for a generation. Whatever ends it early says how to go on, or cancels where that was asked for. */
async function withNextSteps<Value>(
  client: Atelier,
  invocation: Invocation,
  generation: Generation,
  work: () => Promise<Value>,
): Promise<Value> {
  const { given, world } = invocation
  try {
    return await work()
  } catch (error) {
    const { aborted } = world.interrupted
    if (aborted && given.flag('cancel-on-interrupt') && generation.finishedAt === null) await cancelNow(client, invocation, generation)
    else if (aborted || error instanceof AtelierError) printNextSteps(invocation, generation)
    throw error
  }
}

async function cancelNow(client: Atelier, invocation: Invocation, generation: Generation): Promise<void> {
  const { output, world } = invocation
  try {
    const options = { signal: world.abandoned, timeoutSeconds: cancelSeconds }
    const { generationId, state, creditsCharged } = await client.cancel(generation.generationId, options)
    output.warn(`${generationId} is ${state}, ${countWords(creditsCharged)} charged.`)
  } catch (error) {
    for (const line of describeError(error)) output.warn(line)
    printNextSteps(invocation, generation)
  }
}

function printNextSteps({ given, output }: Invocation, { generationId, finishedAt }: Generation): void {
  output.warn(finishedAt === null ? `${generationId} goes on. To wait for it again, or to cancel it:` : 'The result is there. To save it:')
  const { wait, cancel } = laterCommands(given, generationId)
  output.warn(`  ${wait}`)
  if (finishedAt === null) output.warn(`  ${cancel}`)
}
