import { randomUUID } from 'node:crypto'
import type { Json } from '../../../src/contract/json.ts'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import type { Behaviour } from '../conformance/vendorUnderTest.ts'
import { type Exchange, type FakeServer, json } from './fakeServer.ts'
import { busyNow, isAnswered, type ScriptedVendor, scriptedVendor } from './fakeVendor.ts'

/** Accepted work of a fake with jobs. */
export type FakeWork = {
  id: string
  model: string
  outputType: OutputType
  body: Json
  behaviour: Behaviour
  looks: number
  cancelled: boolean
}

/** The shared part of fakes with submit, poll and cancel. */
export type JobFake = ScriptedVendor & { work: Map<string, FakeWork> }

export function jobFake(server: FakeServer): JobFake {
  return { ...scriptedVendor(server), work: new Map() }
}

type Submit = { model: string; outputType: OutputType; body: Json }

/** Accepts work according to the behaviour; undefined when no answer is needed. */
export function takeIn(fake: JobFake, exchange: Exchange, submit: Submit): FakeWork | undefined {
  const busy = busyNow(fake)
  if (busy) {
    json(exchange, busy.status, { detail: 'Too many requests.', status: busy.status }, busy.headers)
    return undefined
  }
  let work: FakeWork | undefined
  const take = () => {
    work = accept(fake, submit)
  }
  return isAnswered(fake, exchange, take) ? work : undefined
}

function accept(fake: JobFake, submit: Submit): FakeWork {
  const work: FakeWork = { ...submit, id: randomUUID(), behaviour: fake.behaviour, looks: 0, cancelled: false }
  fake.work.set(work.id, work)
  fake.accepted.push({ id: work.id, body: submit.body })
  return work
}

/** The state of work at this poll: `ahead` is its queue position, `share` its progress. */
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
