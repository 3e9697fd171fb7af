import { expect, test } from 'vitest'
import { parseJson, waitForParseSlice } from '../../src/transport/readJson.ts'

/** Counts the turns of the event loop that other work gets during `work`. */
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

/** Computes for this CPU time, like parsing. */
function compute(milliseconds: number): void {
  const begun = process.threadCpuUsage()
  for (let spent = 0; spent < milliseconds * 1000; ) {
    const { user, system } = process.threadCpuUsage(begun)
    spent = user + system
  }
}

test('many long bodies leave turns of the event loop to other requests', async () => {
  const body = Buffer.alloc(262_144)
  const read = async () => {
    await waitForParseSlice(body)
    compute(10)
  }
  expect(await turnsWithin(Promise.all(Array.from({ length: 20 }, read)))).toBeGreaterThanOrEqual(19)
})

test('short bodies do not wait', async () => {
  expect(await turnsWithin(Promise.all(Array.from({ length: 1000 }, () => waitForParseSlice(Buffer.alloc(1000)))))).toBe(0)
})

test.each([
  ['NUL', '{"a":[1,{"b":["x","\\u0000"]}]}', ['a', 1, 'b', 1]],
  ['lone surrogate', '{"a":{"b":"\\ud83d"}}', ['a', 'b']],
  ['NUL in a name', '{"a":[{"b\\u0000":1}]}', ['a', 0]],
])('an escaped %s is refused with its path', (_what, text, path) => {
  const fault = { code: 'invalid_request', details: { issues: [expect.objectContaining({ in: 'body', path, code: 'bad_format' })] } }
  expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining(fault))
})

test('escapes of other characters are accepted', () => {
  expect(parseJson(Buffer.from('["\\ud83d\\ude00", "\\u0041"]'))).toEqual(['😀', 'A'])
})
