import type { Attack, Stage } from './attack.ts'
import { json, requestOf } from './requests.ts'

/** Concurrent requests per person: the maximum in progress. */
const lanesEach = 32

/** The longest answers for a person: two pages of the longest prompts, eight megabytes of JSON. */
export const heavyPages: Attack = {
  name: 'graphql-weight',
  words: '4 members who ask for answers of 8 MB, 32 at once each',
  kind: 'whole',
  async play(stage, { connect, ask, lanes }) {
    const { sessions } = stage.accounts
    await lanes(sessions.length * lanesEach, async (lane) => {
      const socket = await connect(lane % sessions.length)
      const request = heavyPage(stage, sessions[lane % sessions.length])
      while (!socket.destroyed) await ask(socket, request)
    })
  },
}

export function heavyPage(stage: Stage, session: string | undefined): Buffer {
  const page = 'generations(first: 50) { nodes { prompt } }'
  return documentOf(stage, session, `query ($id: ID!) { team(id: $id) { a: ${page} b: ${page} } }`, { id: stage.accounts.teamId })
}

function documentOf(stage: Stage, session: string | undefined, query: string, variables: object = {}): Buffer {
  return requestOf(stage, '/graphql', { method: 'POST', session, headers: json, body: JSON.stringify({ query, variables }) })
}

const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ')

/** Documents that are expensive to validate: at a limit, or far over one. */
const documents = [
  `{ viewer { ${times(480, () => 'kind')} } }`,
  `{ viewer { kind } } fragment F on Query { ${times(240, () => 'viewer { kind }')} }`,
  `{ viewer { kind } } ${times(160, (i) => `fragment A${i} on Query { ...A${i + 1} viewer { kind } }`)}`,
  `{ viewer { ...A0 } } ${times(10, (i) => `fragment A${i} on Viewer { ...A${i + 1} ...A${i + 1} }`)} fragment A10 on Viewer { kind }`,
  `{ ${times(20, (i) => `s${i}: team(id: "x") { ${times(20, (j) => `nme${i}x${j}`)} }`)} }`,
  `{ viewer { ${times(480, (i) => `kid${i}`)} } }`,
  '{a'.repeat(100_000),
  '#\n'.repeat(100_000),
  `{ viewer(a: ${'['.repeat(120_000)}) }`,
  `{ viewer(a: "${'\\u0041'.repeat(40_000)}") }`,
]

/** Refused documents with expensive validation. */
export const hostileDocuments: Attack = {
  name: 'graphql-documents',
  words: '4 members with documents at or beyond every limit, up to 256 KiB long, 32 at once each',
  kind: 'whole',
  async play(stage, { connect, ask, lanes }) {
    const { sessions } = stage.accounts
    await lanes(sessions.length * lanesEach, async (lane) => {
      const socket = await connect(lane % sessions.length)
      for (let turn = lane; !socket.destroyed; turn += 1) {
        const session = sessions[lane % sessions.length]
        await ask(socket, documentOf(stage, session, documents[turn % documents.length] ?? ''))
      }
    })
  },
}
