import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTestFiles } from '../support/runs/tiers.ts'

const root = join(import.meta.dirname, '../..')
const ownPath = 'test/gates/sleeps.test.ts'
const sleepMsMax = 50

/** Waits whose length is not a number in the code: short ones, and parts of drills that these tests use without waiting. */
const reviewed = [
  'test/http/hostileTransport.test.ts: pause(n % 5)',
  'test/http/limits/limitSlowReaders.test.ts: pause(pauseMs)',
  'test/support/abuse/memory.ts: pause(sampleMs, undefined, { signal: stopping.signal })',
  'test/support/billing/billingVendor.ts: pause(idleCheckMs)',
  'test/support/billing/billingVendor.ts: pause(secondsOf(work.prompt)',
  'test/support/billing/billingVendor.ts: pause((vendor.handleSeconds ?? 0)',
  'test/support/vendors/elevenlabs.ts: pause(behaviour.looks * 50)',
  'test/support/vendors/googleServer.ts: pause(behaviour.looks * 50)',
  'test/support/vendors/openai.ts: pause(behaviour.looks * 50)',
]

type Wait = { line: number; call: string; milliseconds: number | undefined }

/** Calls of Node's timers, also under another name. A timer that is assigned or unreferenced is a time limit, not a sleep. */
function waitsOf(text: string): Wait[] {
  const imported = /import \{[^}]*\bsetTimeout(?: as (\w+))?[^}]*\} from 'node:timers\/promises'/.exec(text)
  const promised = imported ? (imported[1] ?? 'setTimeout') : undefined
  return text.split('\n').flatMap((code, index) => {
    const waits: Wait[] = []
    const add = (call: string, length: string) => {
      const value = Number(length.replaceAll('_', ''))
      waits.push({ line: index + 1, call: call.trim(), milliseconds: Number.isNaN(value) ? undefined : value })
    }
    if (/^\s*(?:\/\/|\*|import )/.test(code)) return waits
    if (promised) for (const [call, length = ''] of code.matchAll(new RegExp(`\\b${promised}\\(([^,)]*)[^)]*\\)`, 'g'))) add(call, length)
    else if (/(?<!= )\bsetTimeout\(/.test(code) && !code.includes('.unref()')) add(code, /,\s*([^,()]+)\)[^,]*$/.exec(code)?.[1] ?? '')
    return waits
  })
}

const tooLong = ({ milliseconds }: Wait) => milliseconds === undefined || milliseconds > sleepMsMax

test('no test of unit, service or browser sleeps longer than 50 ms', () => {
  const files = new Set(readTestFiles(root).flatMap(({ tier, imports }) => (tier === 'drills' ? [] : imports)))
  files.delete(ownPath)
  const found = [...files].toSorted().flatMap((path) =>
    waitsOf(readFileSync(join(root, path), 'utf8'))
      .filter((wait) => tooLong(wait) && !reviewed.includes(`${path}: ${wait.call}`))
      .map(({ line, call }) => `${path}:${line}  ${call}`),
  )
  expect(found).toEqual([])
})

test.each([
  ["import { setTimeout as pause } from 'node:timers/promises'\nawait pause(51)", true],
  ["import { setTimeout } from 'node:timers/promises'\nawait setTimeout(1_000, 'x')", true],
  ["import { setTimeout as pause } from 'node:timers/promises'\nawait pause(seconds * 1000)", true],
  ["import { setTimeout as pause } from 'node:timers/promises'\nawait pause(50)", false],
  ['setTimeout(() => resolve(1, 2), 80)', true],
  ['setTimeout(done, 50)', false],
  ['const timer = setTimeout(() => done(false), 5000)', false],
])('%j sleeps too long: %s', (text, expected) => {
  expect(waitsOf(text).some(tooLong)).toBe(expected)
})
