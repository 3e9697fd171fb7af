import { timingSafeEqual } from 'node:crypto'
import { verifyWebhook } from '../../webhooks/verifyWebhook.ts'
import { WebhookNotVerifiedError } from '../../webhooks/webhookNotVerified.ts'
import { durationWords } from '../duration.ts'
import { standardDigest } from '../listen/signature.ts'
import { explainMismatch } from './explainMismatch.ts'

export type Received = { body: Buffer; headers: Headers; secret: string; now: number; toleranceSeconds: number }

/** The result of checking one part of a webhook. */
export type Finding = { isGood: boolean; words: string }

/** Checks all parts of a webhook separately, so that all errors are reported together. */
export async function checkWebhook(received: Received): Promise<Finding[]> {
  const { headers } = received
  const findings: Finding[] = []
  const has = { own: headers.has('x-service-signature'), standard: headers.has('webhook-signature') }
  if (!has.own && !has.standard)
    findings.push(bad('There is no signature: the headers have neither X-Service-Signature nor webhook-signature.'))
  if (has.own) findings.push(...(await checkOwn(received)))
  if (has.standard) findings.push(...checkStandard(received))
  findings.push(checkBody(received))
  return findings
}

async function checkOwn(received: Received): Promise<Finding[]> {
  const { body, headers, secret } = received
  const header = headers.get('x-service-signature') ?? ''
  const moment = /(?:^|,)\s*t=(\d{1,12})(?=\s*(?:,|$))/.exec(header)?.[1]
  if (moment === undefined) return [bad('X-Service-Signature has no timestamp: it should begin with t= and Unix seconds.')]
  const fits = async (bytes: Uint8Array) => {
    try {
      await verifyWebhook({ body: bytes, headers: { 'x-service-signature': header }, secrets: secret, now: Number(moment) })
      return true
    } catch (error) {
      // A signed body that is not JSON throws with a cause.
      if (error instanceof WebhookNotVerifiedError) return error.cause !== undefined
      throw error
    }
  }
  if (!/(?:^|,)\s*v1=[0-9a-f]{64}\s*(?:,|$)/.test(header)) return [bad('X-Service-Signature has no v1= with 64 hexadecimal digits.')]
  if (await fits(body)) return [good('X-Service-Signature fits the body.'), checkAge('X-Service-Signature', Number(moment), received)]
  return [
    bad(`X-Service-Signature does not fit the body. ${await explainMismatch(body, fits)}`),
    checkAge('X-Service-Signature', Number(moment), received),
  ]
}

function checkStandard(received: Received): Finding[] {
  const { body, headers, secret } = received
  const [id, timestamp] = [headers.get('webhook-id'), headers.get('webhook-timestamp')]
  if (id === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) {
    return [bad('webhook-signature needs webhook-id and webhook-timestamp (Unix seconds), and one of them is missing.')]
  }
  const expected = Buffer.from(standardDigest({ secret, id, body, timestamp }))
  const given = (headers.get('webhook-signature') ?? '')
    .split(/[\s]+/)
    .flatMap((part) => (part.startsWith('v1,') ? [Buffer.from(part.slice(3))] : []))
  const isSigned = given.some((digest) => digest.length === expected.length && timingSafeEqual(digest, expected))
  const words = isSigned
    ? 'webhook-signature fits webhook-id, webhook-timestamp and the body.'
    : 'webhook-signature does not fit webhook-id, webhook-timestamp and the body.'
  return [{ isGood: isSigned, words }, checkAge('webhook-timestamp', Number(timestamp), received)]
}

function checkAge(name: string, moment: number, { now, toleranceSeconds }: Received): Finding {
  const age = now - moment
  const words = `${name} is ${durationWords(Math.abs(age))} ${age < 0 ? 'ahead of the clock' : 'old'}`
  if (Math.abs(age) <= toleranceSeconds) return good(`${words}.`)
  return bad(`${words}, more than ${durationWords(toleranceSeconds)}: it is a replay, or a clock is wrong. For an older request, use --at.`)
}

function checkBody({ body, headers }: Received): Finding {
  const id = headers.get('webhook-id')
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as { id?: unknown; event?: unknown }
    if (typeof event.id !== 'string' || typeof event.event !== 'string') return bad('The body has no id and event.')
    if (id !== null && id !== event.id) return bad(`webhook-id is ${id}, but the id in the body is ${event.id}.`)
    return good(`The body is ${event.event}, ${event.id}.`)
  } catch {
    return bad(body.length === 0 ? 'The body is empty.' : 'The body is not JSON.')
  }
}

function good(words: string): Finding {
  return { isGood: true, words }
}

function bad(words: string): Finding {
  return { isGood: false, words }
}
