import { readFile } from 'node:fs/promises'
import type { Atelier } from '../../atelier.ts'
import type { AtelierError } from '../../errors/atelierError.ts'
import { errorOf } from '../../errors/errorOf.ts'
import type { BatchPlace, GenerationRequest, StartedBatch } from '../../openapi.ts'
import { batchItemsOf } from '../batchItems.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { describeError } from '../describeError.ts'
import { type ExitCode, exitCodeOf, exitCodes } from '../exitCodes.ts'
import { requireFile } from '../inputs.ts'
import { serviceOptions } from '../options.ts'
import { sendStart } from '../sendStart.ts'
import { standardInput } from '../standardInput.ts'
import { writeTable } from '../table.ts'
import { countWords } from '../writeGeneration.ts'

/** Starts up to 50 generations. */
export const batch: Command = {
  name: 'batch',
  usage: ['<path|->'],
  summary: 'start up to 50 generations from a file, and print each start or refusal',
  about: `The file has a JSON array of requests, or one request per line, such as {"familyId": "sandbox-image", "prompt": "Dawn"}; - is standard
input. Columns: place, state or code of the refusal, identifier, credits held or message. The exit code is the highest of the refusals.
A repeat with the same requests and --idempotency-key starts only what was not started.`,
  options: {
    'max-credits': { type: 'string', value: '<credits>', help: 'the most that the started items may cost together' },
    'idempotency-key': {
      type: 'string',
      value: '<key>',
      help: 'identifies this batch, so that a repeat never pays twice; default: a new one',
    },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output } = invocation
    const [from = ''] = given.named('path|-')
    const maxCredits = given.number('max-credits', { min: 0, max: 1_000_000_000 })
    const idempotencyKey = given.text('idempotency-key') ?? crypto.randomUUID()
    const client = await connect(invocation)
    const items = batchItemsOf(await textOf(invocation, from))
    const started = await startAll(client, invocation, { items, maxCredits, idempotencyKey })
    const refusals = started.items.map(refusalIn)
    write(invocation, started, refusals)
    if (refusals.some((refusal) => refusal?.retryable)) output.note(repeatWords(idempotencyKey))
    const codes = refusals.map((refusal): ExitCode => (refusal ? exitCodeOf(refusal) : exitCodes.ok))
    return codes.reduce((worst, code) => (code > worst ? code : worst), exitCodes.ok)
  },
}

async function textOf({ context }: Invocation, from: string): Promise<string> {
  if (from === '-') return (await standardInput(context)).toString('utf8')
  await requireFile(from, 'batch')
  return await readFile(from, 'utf8')
}

type Batch = { items: GenerationRequest[]; maxCredits: number | undefined; idempotencyKey: string }

function startAll(client: Atelier, invocation: Invocation, { items, maxCredits, idempotencyKey }: Batch): Promise<StartedBatch> {
  return sendStart(invocation, {
    send: (signal) => client.startBatch(items, { maxCredits, idempotencyKey, signal }),
    nextSteps: () => ['It is not known which generations have started.', repeatWords(idempotencyKey)],
  })
}

function repeatWords(idempotencyKey: string): string {
  return `Repeat the command with --idempotency-key=${idempotencyKey}: it starts only what was not started.`
}

function refusalIn({ status, error }: BatchPlace): AtelierError | undefined {
  return error && errorOf({ status, ...error })
}

/** Prints one row for each place. The details of refusals follow on standard error. */
function write({ output }: Invocation, { items }: StartedBatch, refusals: (AtelierError | undefined)[]): void {
  if (output.isJson) {
    for (const place of items) output.json(place)
    return
  }
  const rows = items.map(({ generation, error }, index) => {
    const held = generation && `${countWords(generation.creditsHeld)} held${generation.replayed ? ', had already started' : ''}`
    return [String(index + 1), generation?.state ?? error?.code ?? '', generation?.generationId ?? '-', held ?? error?.message ?? '']
  })
  writeTable(output, ['PLACE', 'STATE', 'GENERATION', 'DETAIL'], rows)
  refusals.forEach((refusal, index) => {
    if (refusal) for (const line of describeError(refusal)) output.warn(line.startsWith(' ') ? line : `Place ${index + 1}: ${line}`)
  })
}
