import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Behaviour, FakeVendor } from '../conformance/vendorUnderTest.ts'
import type { FakeServer } from './fakeServer.ts'

/** A fake that knows how it is to behave, and how often it has said that it has no room. */
export type ScriptedVendor = FakeVendor & { behaviour: Behaviour; refusals: number }

export function scriptedVendor(server: FakeServer): ScriptedVendor {
  return {
    ...server,
    behaviour: { kind: 'well' },
    refusals: 0,
    accepted: [],
    cancelled: [],
    behave(behaviour) {
      this.behaviour = behaviour
      this.refusals = 0
    },
  }
}

type Busy = Extract<Behaviour, { kind: 'busy' }> & { headers: Record<string, string> }

/** That it has no room, as often as it was told to say so, with the headers in which most vendors say until when. */
export function busyNow(fake: ScriptedVendor): Busy | undefined {
  const { behaviour } = fake
  if (behaviour.kind !== 'busy' || fake.refusals++ >= behaviour.times) return undefined
  const { retryAfterSeconds } = behaviour
  return { ...behaviour, headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) } }
}

type Submit = { request: IncomingMessage; response: ServerResponse }

/** Takes a submit in, unless the line is cut before; whether it is to be answered, and not cut off, left waiting or answered by a proxy. */
export function isAnswered({ behaviour }: ScriptedVendor, { request, response }: Submit, take: () => void): boolean {
  const isCut = behaviour.kind === 'hangs' || behaviour.kind === 'drops'
  if (!isCut || behaviour.when === 'after') take()
  if (behaviour.kind === 'drops') request.socket.destroy()
  if (behaviour.kind === 'proxied') {
    const page = `<html><body><h1>${behaviour.status} Service Temporarily Unavailable</h1><hr>nginx</body></html>`
    response.writeHead(behaviour.status, { 'content-type': 'text/html', 'retry-after': '1' }).end(page)
  }
  return !isCut && behaviour.kind !== 'proxied'
}
