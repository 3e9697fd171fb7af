import { AtelierError } from '../../errors/atelierError.ts'
import { limitConcurrency } from '../../http/limitConcurrency.ts'
import type { WebhookBody } from '../../openapi.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { describeError } from '../describeError.ts'
import { deliver } from '../listen/deliver.ts'
import { eventOf, eventOfState } from '../listen/eventOf.ts'
import { makeSecret } from '../listen/signature.ts'
import { beginWatch, pollHistory, type Watch } from '../listen/watch.ts'
import { serviceOptions } from '../options.ts'
import type { ParsedArguments } from '../parsedArguments.ts'
import { UsageError } from '../usageError.ts'
import { givenSecret, secretOptions } from '../webhookSecret.ts'

const pauseSecondsMin = 2
const troubleSecondsMax = 60
/** Like the service: concurrent attempts per subscription. */
const attemptsAtOnce = 2
const eventNames = Object.values(eventOfState)

/** Forwards webhooks to a machine that the service cannot reach, for development. */
export const listen: Command = {
  name: 'listen',
  usage: ['[--forward <address>]'],
  summary: 'forward an event for each ended generation to a receiver on this machine',
  about: `Polls the history and posts each ended generation (completed, failed, cancelled) once to the address, with the body, the
headers and the signatures of the service's own webhooks. Without --forward the events are only printed. A failed delivery is repeated
up to six times. The key needs generations:read. Ctrl-C ends it.`,
  options: {
    forward: { type: 'string', value: '<address>', help: 'the receiver, for example http://localhost:3000/hook' },
    ...secretOptions,
    events: { type: 'string', value: '<names>', help: 'only these events, separated by commas: completed, failed, cancelled' },
    since: { type: 'string', value: '<time>', help: 'also generations that ended since then: 10m, 2h, or 2026-11-20T12:00:00Z' },
    interval: {
      type: 'string',
      value: '<seconds>',
      help: `the polling interval; default and minimum: ${pauseSecondsMin} seconds`,
    },
    'first-retry': { type: 'string', value: '<seconds>', help: 'the delay of the first retry, doubled each time; default: 1' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    given.named()
    const address = forwardAddress(given)
    const wanted = wantedEvents(given)
    const since = sinceOf(given)
    const intervalSeconds = given.number('interval', { min: pauseSecondsMin, max: 3600 }) ?? pauseSecondsMin
    const firstRetrySeconds = given.number('first-retry', { min: 0, max: 3600 }) ?? 1
    const known = await givenSecret(given, context)
    const secret = known ?? makeSecret()
    if (address !== undefined) output.warn(known === undefined ? `Signing secret: ${secret}` : 'Signing with the given secret.')
    const limited = limitConcurrency(attemptsAtOnce)
    let open = 0
    const deliverEvent = async (event: WebhookBody) => {
      open += 1
      try {
        await deliver(event, { output, address, secret, firstRetrySeconds, timing: context.timing, signal: context.interrupted, limited })
        open -= 1
      } catch (error) {
        if (!context.interrupted.aborted) output.warn(describeError(error).join(' '))
      }
    }
    await pollEndings(invocation, { since, intervalSeconds }, (watch) => {
      for (const generation of watch.found.splice(0).toSorted(byEnd)) {
        const event = eventOf(generation, secret)
        if (generation.source !== 'editor' && wanted.has(event.event)) void deliverEvent(event)
      }
    })
    if (open > 0) output.warn(`${open} ${open === 1 ? 'event was' : 'events were'} not delivered.`)
  },
}

function byEnd(one: { finishedAt: string | null }, other: { finishedAt: string | null }): number {
  return (one.finishedAt ?? '').localeCompare(other.finishedAt ?? '')
}

type Pace = { since: Date | undefined; intervalSeconds: number }

/** Polls until Ctrl-C. Temporary errors are printed and waited out, for as long as the service requests; other errors are thrown. */
async function pollEndings(invocation: Invocation, { since, intervalSeconds }: Pace, onFound: (watch: Watch) => void): Promise<void> {
  const { output, context } = invocation
  const { interrupted: signal, timing } = context
  const client = await connect(invocation, { attemptsMax: 1, fetch: globalThis.fetch })
  let watch: Watch | undefined
  let errorCount = 0
  while (!signal.aborted) {
    let pauseSeconds = intervalSeconds
    try {
      if (watch) await pollHistory({ client, signal }, watch)
      else {
        watch = await beginWatch({ client, signal }, since)
        output.note('Listening. Ctrl-C ends it.')
      }
      if (errorCount > 0) output.note('The service responds again.')
      errorCount = 0
    } catch (error) {
      if (signal.aborted) break
      if (!(error instanceof AtelierError && error.retryable)) throw error
      errorCount += 1
      pauseSeconds = Math.max(error.retryAfterSeconds ?? 0, Math.min(troubleSecondsMax, intervalSeconds * 2 ** Math.min(errorCount, 6)))
      output.warn(`${describeError(error)[0]} Polling again in ${pauseSeconds} s.`)
    }
    if (watch) onFound(watch)
    await timing.pause(pauseSeconds, signal).catch(() => undefined)
  }
}

function forwardAddress(given: ParsedArguments): string | undefined {
  const text = given.text('forward')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isValid = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isValid) throw new UsageError('--forward takes an http or https address, for example http://localhost:3000/hook')
  return url.href
}

function wantedEvents(given: ParsedArguments): Set<string> {
  const text = given.text('events')
  if (text === undefined) return new Set(eventNames)
  return new Set(
    text.split(',').map((word) => {
      const name = eventNames.find((each) => each === word.trim() || each === `generation.${word.trim()}`)
      if (name === undefined) throw new UsageError('--events takes completed, failed and cancelled, separated by commas.')
      return name
    }),
  )
}

function sinceOf(given: ParsedArguments): Date | undefined {
  const text = given.text('since')
  if (text === undefined) return undefined
  const isMoment = /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
  const since = isMoment ? new Date(text) : new Date(Date.now() - (given.seconds('since') ?? 0) * 1000)
  if (since.getTime() > Date.now()) throw new UsageError('--since takes a time in the past.')
  return since
}
