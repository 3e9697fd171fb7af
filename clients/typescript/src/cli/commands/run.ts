import type { Atelier } from '../../atelier.ts'
import { AtelierError } from '../../errors/atelierError.ts'
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
import { sendStart } from '../sendStart.ts'
import { UsageError } from '../usageError.ts'
import { countWords } from '../writeGeneration.ts'

/** The time limit of a cancel after Ctrl-C. */
const cancelSeconds = 30

/** Starts once, waits, and saves the result. */
export const run: Command = {
  name: 'run',
  usage: ['<family> [prompt]'],
  summary: 'start a generation, wait for it, and save its result',
  about: `Prints the path of the saved file, or the link to the result without -o. A prompt of - is read from standard input.
Ctrl-C ends the waiting, not the generation, and prints how to continue.`,
  options: {
    ...requestOptions,
    ...startOptions,
    ...saveOptions,
    ...waitOptions,
    'no-wait': { type: 'boolean', help: 'print the identifier as soon as it has started' },
    'cancel-on-interrupt': { type: 'boolean', help: 'Ctrl-C cancels the generation; work that has begun is charged' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    const target = await saveTargetOf(given)
    const isDetached = given.flag('no-wait')
    if (isDetached && target) throw new UsageError('--no-wait has no result to save. Remove -o, or use `wait -o` later.')
    const timeoutSeconds = given.seconds('timeout')
    const client = await connect(invocation)
    const { request, uploaded } = await requestOf(client, invocation)
    const started = await startOnce(client, invocation, request, uploaded)
    if (isDetached) return output.isJson ? output.json(started) : output.data(started.generationId)
    output.note(`${started.generationId} ${started.replayed ? 'had already started' : `started, ${countWords(started.creditsHeld)} held`}`)
    const ended = await withNextSteps(client, invocation, started, () =>
      follow(client, started, { output, signal: context.interrupted, timeoutSeconds }),
    )
    return await withNextSteps(client, invocation, ended, () => finish(client, invocation, ended, target))
  },
}

async function startOnce(
  client: Atelier,
  invocation: Invocation,
  request: GenerationRequest,
  uploaded: Uploaded,
): Promise<StartedGeneration> {
  const { given } = invocation
  const idempotencyKey = given.text('idempotency-key') ?? crypto.randomUUID()
  return await sendStart(invocation, {
    send: (signal) => client.start(request, { idempotencyKey, signal }),
    nextSteps: () => [
      'It is not known whether the generation has started. Continue with this command, which never pays twice:',
      `  ${repeatCommand(given, { request, uploaded, idempotencyKey })}`,
    ],
  })
}

/** Runs a long step for a generation. When it ends early, prints how to continue, or cancels if requested. */
async function withNextSteps<Value>(
  client: Atelier,
  invocation: Invocation,
  generation: Generation,
  work: () => Promise<Value>,
): Promise<Value> {
  const { given, context } = invocation
  try {
    return await work()
  } catch (error) {
    const { aborted } = context.interrupted
    if (aborted && given.flag('cancel-on-interrupt') && generation.finishedAt === null) await cancelNow(client, invocation, generation)
    else if (aborted || error instanceof AtelierError) printNextSteps(invocation, generation)
    throw error
  }
}

async function cancelNow(client: Atelier, invocation: Invocation, generation: Generation): Promise<void> {
  const { output, context } = invocation
  try {
    const options = { signal: context.killed, timeoutSeconds: cancelSeconds }
    const { generationId, state, creditsCharged } = await client.cancel(generation.generationId, options)
    output.warn(`${generationId} is ${state}, ${countWords(creditsCharged)} charged.`)
  } catch (error) {
    for (const line of describeError(error)) output.warn(line)
    printNextSteps(invocation, generation)
  }
}

function printNextSteps({ given, output }: Invocation, { generationId, finishedAt }: Generation): void {
  output.warn(
    finishedAt === null ? `${generationId} is still running. To wait for it again, or to cancel it:` : 'The result is ready. To save it:',
  )
  const { wait, cancel } = laterCommands(given, generationId)
  output.warn(`  ${wait}`)
  if (finishedAt === null) output.warn(`  ${cancel}`)
}
