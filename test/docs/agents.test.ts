import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { createUser } from '../../src/domain/access/people/users.ts'
import { contextFor } from '../../src/domain/context.ts'
import { testApp } from '../support/app.ts'

const guide = await readFile(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? '').filter((text) => text.includes('gql '))
const hasCurl = spawnSync('curl', ['--version']).status === 0

const serviceToken = newId('req').repeat(2)
const app = await testApp({ serviceToken })
afterAll(app.close)

test.skipIf(!hasCurl)('the commands of the guide give a person a key with which an agent reads 100 credits', async () => {
  const user = await createUser(contextFor(app.services, { kind: 'service' }), { email: 'agent@example.com', name: 'Ada' })
  const env = { PATH: process.env['PATH'], ORIGIN: app.origin, SERVICE_TOKEN: serviceToken, USER_ID: user.id }
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', commands.join('\n')], { env })
  const key = /"value":"(atl_\w+)"/.exec(stdout)?.[1]
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } }
  const response = await fetch(`${app.origin}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"creditsAvailable":100')])
})
