import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { documentLimits, fieldCost, operationLimits, responseBytesMax } from '../../src/graphql/documentLimits.ts'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { anEnding } from '../support/webhooks/webhooks.ts'

const document = await readFile(new URL('../../docs/graphql.md', import.meta.url), 'utf8')
const [gql = '', ...examples] = [...document.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? '')

const hasCurl = spawnSync('curl', ['--version']).status === 0

const token = newId('req').repeat(2)
const app = await testApp({ serviceToken: token })
afterAll(() => app.close())
const made = await aTeamWithKey(app.services)
const generation = await anEnding(made)

async function run(example: string): Promise<{ data?: object; errors?: unknown }> {
  const known = {
    ORIGIN: app.origin,
    SERVICE_TOKEN: token,
    TEAM: made.team.id,
    USER_ID: made.user.id,
    GENERATION: generation,
    KEY_ID: made.key.id,
  }
  const shell = spawn('sh', ['-eu', '-c', `${gql}\n${example}`], {
    env: { PATH: process.env['PATH'], ...known },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')])
  expect(complaints).toBe('')
  return JSON.parse(printed)
}

test('the guide shows enough', () => {
  expect(examples.length).toBeGreaterThan(9)
})

test.skipIf(!hasCurl).each(examples.map((example) => [example.slice(0, 60), example]))(
  'works as the guide shows it: %s',
  async (_start, example = '') => {
    const { data, errors } = await run(example)
    expect(errors).toBeUndefined()
    expect(Object.values(data ?? {})).toEqual([expect.anything()])
  },
)

test('the guide tells the limits that there are', () => {
  const { tokens, nesting, selections, depth, introspectionDepth, rootFields, aliases, directives, cost } = documentLimits
  const { person, tool } = operationLimits
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
  const rows = [...document.matchAll(/^\| (.*?) \| ([\d,]+.*?) \|$/gm)].map(([, what, most]) => [what, most])
  expect(directives).toBe(aliases)
  expect(rows.slice(-11)).toEqual([
    ['tokens', tokens.toLocaleString('en')],
    ['brackets within brackets', String(nesting)],
    ['fields and fragments, counted wherever a fragment is used', String(selections)],
    ['levels', `${depth} (${introspectionDepth} below \`__schema\`)`],
    ['fields at the root', String(rootFields)],
    ['aliases, directives', `${aliases} each`],
    ['cost', cost.toLocaleString('en')],
    ['lists with pages', `${person.connections} for a person, ${tool.connections} for a tool`],
    ['pages', `${person.pages} for a person, ${tool.pages} for a tool`],
    [
      'possible answer',
      `${megabytes(person.possibleBytes)} for a person, ${megabytes(tool.possibleBytes)} for a tool, ${megabytes(responseBytesMax)} for a mutation`,
    ],
    ['answer', megabytes(responseBytesMax)],
  ])
  expect(document).toContain(`A field costs ${fieldCost.plain}, a list with pages ${fieldCost.connection},`)
  expect(document).toContain(`${fieldCost.listItems} for a list without pages`)
})
