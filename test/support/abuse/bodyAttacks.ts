import type { Attack } from './attack.ts'
import { json, requestOf } from './requests.ts'

const bodyBytes = 256 * 1024
const filled = (before: string, piece: (index: number) => string, after: string) => {
  const pieces: string[] = []
  for (let bytes = before.length + after.length, index = 0; ; index += 1) {
    const next = piece(index)
    bytes += next.length
    if (bytes > bodyBytes) return before + pieces.join('') + after
    pieces.push(next)
  }
}

/** The longest bodies that are expensive to read: deep, wide, or full of faults that must be reported. */
const bodies = [
  filled('', () => '[', ''),
  filled('{"parameters":', () => '{"a":', ''),
  filled(`{"familyId":"sandbox-image","parameters":${'{"a":'.repeat(30)}[`, () => '1,', `1]${'}'.repeat(30)}}`),
  filled('{"familyId":"sandbox-image"', (index) => `,"f${index}":1`, '}'),
  filled('{"familyId":"sandbox-image","parameters":{"seed":1', (index) => `,"p${index}":[]`, '}}'),
  filled('{"familyId":"sandbox-image","metadata":{"a":"b"', (index) => `,"m${index}":{}`, '}}'),
  filled('{"familyId":"sandbox-image","imageIds":["a"', (index) => `,"${index}"`, ']}'),
  filled('{"familyId":"sandbox-image","maxCredits":1', () => '0', '}'),
  filled('{"familyId":"sandbox-image","prompt":"', () => '\\ud83d\\ude00', '"}'),
  filled('{"familyId":"', () => '\\u0041', '"}'),
  filled('{"email":"a","password":"', () => '\\u0000', '"}'),
]

/** Deep, wide or faulty JSON for every endpoint with a body. */
export const hostileJson: Attack = {
  name: 'json-depth',
  words: '4 keys, 4 agents and 4 addresses of strangers with bodies of 256 KiB, deep, wide or full of faults, 96 at once',
  kind: 'whole',
  async play(stage, { connect, ask, lanes }) {
    const { keys, agentKeys } = stage.accounts
    const requestFor = (lane: number, body: string) => {
      const key = keys[lane % keys.length]
      const post = (path: string, more: object = {}) => requestOf(stage, path, { method: 'POST', headers: json, body, ...more })
      if (lane % 3 === 0) return post('/api/v1/generations/estimate', { key })
      if (lane % 3 === 1) {
        const headers = { ...json, accept: 'application/json, text/event-stream' }
        return post('/mcp', { key: agentKeys[lane % agentKeys.length], headers })
      }
      return post('/auth/sign-in/email', { headers: { ...json, origin: stage.origin } })
    }
    await lanes(96, async (lane) => {
      const socket = await connect(lane % 4)
      for (let turn = lane; !socket.destroyed; turn += 1) await ask(socket, requestFor(lane, bodies[turn % bodies.length] ?? ''))
    })
  },
}
