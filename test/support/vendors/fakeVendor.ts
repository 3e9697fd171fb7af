import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Behaviour, FakeVendor } from '../conformance/vendorUnderTest.ts'
import type { FakeServer } from './fakeServer.ts'

/** A fake with its behaviour, and the number of its "at capacity" answers. */
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

/** The "at capacity" answers of the behaviour, with the usual retry headers. */
export function busyNow(fake: ScriptedVendor): Busy | undefined {
  const { behaviour } = fake
  if (behaviour.kind !== 'busy' || fake.refusals++ >= behaviour.times) return undefined
  const { retryAfterSeconds } = behaviour
  return { ...behaviour, headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) } }
}

type Submit = { request: IncomingMessage; response: ServerResponse }

/** Accepts a submit, unless the connection is cut before. Returns whether to answer it normally. */
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
