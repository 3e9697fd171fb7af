import type { WebhookBody } from '../../openapi.ts'
import type { Output } from '../output.ts'
import { type Delivered, type ForwardOptions, forward } from './forward.ts'

type DeliverOptions = Omit<ForwardOptions, 'address' | 'onFailure'> & { output: Output; address: string | undefined }

/** Handles one event: forwards it if there is a receiver, and prints a line or its JSON. Throws only when it is interrupted. */
export async function deliver(event: WebhookBody, { output, address, ...options }: DeliverOptions): Promise<void> {
  const name = `${event.event}  ${event.data.generation.generationId}`
  if (output.isJson) output.json(event)
  if (address === undefined) {
    if (!output.isJson) output.data(`${clock()}  ${name}`)
    return
  }
  const delivered = await forward(event, {
    ...options,
    address,
    onFailure: (words, next) =>
      output.warn(`${name}  ${words}${next ? `; again in ${next.seconds} s (${next.attempt} of ${next.attemptsMax})` : '; given up'}`),
  })
  if (output.isJson) output.note(`${name}  ${outcomeText(delivered)}`)
  else output.data(`${clock()}  ${name}  `, { text: outcomeText(delivered), colour: delivered ? 'green' : 'red' })
}

function outcomeText(delivered: Delivered | undefined): string {
  if (!delivered) return 'not delivered'
  const { status, tookMs, attempts } = delivered
  return `${status} in ${tookMs} ms${attempts > 1 ? `, attempt ${attempts}` : ''}`
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8)
}
