import { expect, test } from 'vitest'
import { parseJson, waitForParseSlice } from '../../src/transport/readJson.ts'

/** How many turns of the event loop other work gets while `work` goes on. */
async function turnsWithin(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let goesOn = true
  const next = () => {
    turns += 1
    if (goesOn) setImmediate(next)
  }
  setImmediate(next)
  await work
  goesOn = false
  return turns
}

/** So long on a processor, as parsing takes. */
function compute(milliseconds: number): void {
  const begun = process.threadCpuUsage()
  for (let spent = 0; spent < milliseconds * 1000; ) {
    const { user, system } = process.threadCpuUsage(begun)
    spent = user + system
  }
}

test('a flood of long bodies leaves turns of the event loop to other requests', async () => {
  const body = Buffer.alloc(262_144)
  const read = async () => {
    await waitForParseSlice(body)
    compute(10)
  }
  expect(await turnsWithin(Promise.all(Array.from({ length: 20 }, read)))).toBeGreaterThanOrEqual(19)
})

test('short bodies wait for nothing', async () => {
  expect(await turnsWithin(Promise.all(Array.from({ length: 1000 }, () => waitForParseSlice(Buffer.alloc(1000)))))).toBe(0)
})

test.each([
  ['a NUL', '{"a":[1,{"b":["x","\\u0000"]}]}', ['a', 1, 'b', 1]],
  ['half of a pair', '{"a":{"b":"\\ud83d"}}', ['a', 'b']],
  ['a NUL in a name', '{"a":[{"b\\u0000":1}]}', ['a', 0]],
])('%s that is escaped is refused at its place', (_what, text, path) => {
  const fault = { code: 'invalid_request', details: { issues: [expect.objectContaining({ in: 'body', path, code: 'bad_format' })] } }
  expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining(fault))
})

test('escapes of other characters are taken', () => {
  expect(parseJson(Buffer.from('["\\ud83d\\ude00", "\\u0041"]'))).toEqual(['😀', 'A'])
})
