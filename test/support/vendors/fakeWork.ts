import { randomUUID } from 'node:crypto'
import type { Json } from '../../../src/contract/json.ts'
import type { OutputType } from '../../../src/contract/outputTypes.ts'
import type { Behaviour, FakeVendor } from '../conformance/vendorUnderTest.ts'
import { type Exchange, json } from './fakeServer.ts'

/** Work that a fake of a vendor with jobs has taken in. */
export type FakeWork = {
  id: string
  model: string
  outputType: OutputType
  body: Json
  behaviour: Behaviour
  looks: number
  cancelled: boolean
}

/** A vendor whose work is handed over, looked at and stopped: what such fakes share. */
export type JobFake = FakeVendor & { behaviour: Behaviour; refusals: number; work: Map<string, FakeWork> }

export function jobFake(server: { url: string; close(): Promise<void> }): JobFake {
  return {
    ...server,
    behaviour: { kind: 'well' },
    refusals: 0,
    work: new Map(),
    accepted: [],
    cancelled: [],
    behave(behaviour) {
      this.behaviour = behaviour
      this.refusals = 0
    },
  }
}

type Submit = { model: string; outputType: OutputType; body: Json }

/** Takes work in as the behaviour has it; `undefined` when there is nothing to answer any more. */
export function takeIn(fake: JobFake, exchange: Exchange, submit: Submit): FakeWork | undefined {
  const { behaviour } = fake
  if (behaviour.kind === 'busy' && fake.refusals++ < behaviour.times) {
    const pause = behaviour.retryAfterSeconds
    const headers: Record<string, string> = pause === undefined ? {} : { 'retry-after': String(pause) }
    json(exchange, behaviour.status, { detail: 'Too many requests.' }, headers)
    return undefined
  }
  const isCut = behaviour.kind === 'hangs' || behaviour.kind === 'drops'
  const work = isCut && behaviour.when === 'before' ? undefined : accept(fake, submit)
  if (behaviour.kind === 'drops') exchange.request.socket.destroy()
  return isCut ? undefined : work
}

function accept(fake: JobFake, submit: Submit): FakeWork {
  const work: FakeWork = { ...submit, id: randomUUID(), behaviour: fake.behaviour, looks: 0, cancelled: false }
  fake.work.set(work.id, work)
  fake.accepted.push({ id: work.id, body: submit.body })
  return work
}

/** Where work stands at this look: `ahead` others stand before it, `share` of it is done. */
export type Stage = { at: 'queued'; ahead: number } | { at: 'running'; share: number } | { at: 'strange' } | { at: 'over' }

export function stageOf(work: FakeWork): Stage {
  const { behaviour } = work
  work.looks += 1
  if (behaviour.kind === 'unknown_state' && work.looks <= behaviour.looks) return { at: 'strange' }
  if (behaviour.kind !== 'slow' || work.looks > behaviour.looks) return { at: 'over' }
  const half = Math.ceil(behaviour.looks / 2)
  return work.looks <= half
    ? { at: 'queued', ahead: half - work.looks }
    : { at: 'running', share: (work.looks - half) / (behaviour.looks - half + 1) }
}
