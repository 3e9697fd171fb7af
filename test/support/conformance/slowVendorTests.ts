import { expect, test } from 'vitest'
import type { PublicGeneration } from '../../../src/contract/shapes/generation.ts'
import type { Poll, Provider } from '../../../src/providers/provider.ts'
import { expectInvariants, failureOf } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import { vendorCase } from './vendorCase.ts'
import type { Behaviour, VendorUnderTest } from './vendorUnderTest.ts'

/** Slow vendors, vendors at capacity, and unknown states. */
export function slowVendorTests({ without = [] }: VendorUnderTest, lab: () => Lab): void {
  test.skipIf(without.includes('slow'))(
    'slow work is queued until it has begun, with a position from 1, then runs with its progress, then is ready',
    async () => {
      const polls: Poll[] = []
      const heard = (provider: Provider): Provider => ({
        ...provider,
        async poll(...asked) {
          const poll = await provider.poll(...asked)
          polls.push(poll)
          return poll
        },
      })
      const made = await vendorCase(lab(), { behaviour: { kind: 'slow', looks: 4 }, between: heard })
      const seen = [await made.look()]
      while (await made.step()) seen.push(await made.look())
      const states = seen.map(({ state }) => state)
      expect(states.filter((state, index) => state !== states[index - 1]).join(' ')).toMatch(/^queued( running)?( finalizing)? ready$/)
      expect(seen.filter(({ startedAt }) => startedAt === null)).toEqual(seen.filter(({ state }) => state === 'queued'))
      const positions = polls.flatMap((poll) => (poll.state === 'queued' ? (poll.position ?? []) : []))
      expect(positions.filter((position) => !Number.isInteger(position) || position < 1)).toEqual([])
      expect(positions).toEqual(positions.toSorted((left, right) => right - left))
      const shares = polls.flatMap((poll) => (poll.state === 'running' ? (poll.progress ?? []) : []))
      expect(shares.filter((share) => !(share >= 0 && share <= 1))).toEqual([])
      expect(shares).toEqual(shares.toSorted((left, right) => left - right))
      expect(seen.filter(({ progress }) => typeof progress === 'number').every(({ state }) => state !== 'queued')).toBe(true)
      await expectInvariants(lab(), made, { charged: true, accepted: 1 })
    },
  )

  test.skipIf(without.includes('busy'))(
    '429 three times in a row is retried after the requested delay, and the work is submitted once',
    async () => {
      const made = await vendorCase(lab(), { behaviour: { kind: 'busy', status: 429, times: 3, retryAfterSeconds: 37 } })
      let job = await made.next()
      for (let refusals = 0; refusals < 3 && job; refusals++) {
        await made.run(job)
        expect(await made.look()).toMatchObject({ state: 'queued', startedAt: null })
        job = await made.next()
        expect(job?.seconds).toBeGreaterThan(36)
        expect(job?.seconds).toBeLessThanOrEqual(37)
      }
      if (job) await made.run(job)
      expect((await made.settle()).state).toBe('ready')
      await expectInvariants(lab(), made, { charged: true, accepted: 1 })
    },
  )

  test.skipIf(without.includes('busy'))(
    '503 until the deadline means that the model is at capacity: nothing was handed over, nothing is charged',
    async () => {
      const behaviour: Behaviour = { kind: 'busy', status: 503, times: Number.POSITIVE_INFINITY, retryAfterSeconds: 86_400 }
      const made = await vendorCase(lab(), { behaviour })
      expect(failureOf(await made.settle())).toBe('model_unavailable/model_at_capacity')
      await expectInvariants(lab(), made, { charged: false, accepted: 0 })
    },
  )

  test.skipIf(without.includes('unknown_state'))('an unknown state counts as running', async () => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'unknown_state', looks: 2 } })
    expect((await made.settle()).state).toBe('ready')
    await expectInvariants(lab(), made, { charged: true, accepted: 1 })
  })

  test.skipIf(without.includes('unknown_state'))(
    'one that stays is looked at until the deadline and once more; then the vendor is told to stop',
    async () => {
      let [looks, stops] = [0, 0]
      const counted = (provider: Provider): Provider => ({
        ...provider,
        poll: (...asked) => (looks++, provider.poll(...asked)),
        cancel: (...asked) => (stops++, provider.cancel(...asked)),
      })
      const made = await vendorCase(lab(), { behaviour: { kind: 'unknown_state', looks: Number.POSITIVE_INFINITY }, between: counted })
      await made.step()
      await made.step()
      const before = looks
      await lab().app.clock.set(new Date((await made.deadlineAt()).getTime() + 1000))
      const ended: PublicGeneration = await made.settle()
      expect([looks - before, failureOf(ended), stops]).toEqual([1, 'timeout/deadline_exceeded', 1])
      await expectInvariants(lab(), made, { charged: false, accepted: 1 })
    },
  )
}
