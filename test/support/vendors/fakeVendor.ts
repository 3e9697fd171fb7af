import type { IncomingMessage } from 'node:http'
import type { Behaviour, FakeVendor } from '../conformance/vendorUnderTest.ts'

/** A fake that knows how it is to behave, and how often it has said that it has no room. */
export type ActingVendor = FakeVendor & { behaviour: Behaviour; refusals: number }

export function actingVendor(server: { url: string; close(): Promise<void> }): ActingVendor {
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
export function busyNow(fake: ActingVendor): Busy | undefined {
  const { behaviour } = fake
  if (behaviour.kind !== 'busy' || fake.refusals++ >= behaviour.times) return undefined
  const { retryAfterSeconds } = behaviour
  return { ...behaviour, headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) } }
}

/** Takes a submit in, unless the line is cut before; whether it is to be answered, and not cut off or left waiting. */
export function isAnswered({ behaviour }: ActingVendor, request: IncomingMessage, take: () => void): boolean {
  const isCut = behaviour.kind === 'hangs' || behaviour.kind === 'drops'
  if (!isCut || behaviour.when === 'after') take()
  if (behaviour.kind === 'drops') request.socket.destroy()
  return !isCut
}
