import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask, awaited, serviceToken } from './service.ts'

export type Tenant = { key: string; teamId: string; userId: string }
export type FinishedGeneration = { id: string; url: string; bytes: Buffer }

type Answer = Record<string, Record<string, unknown>>

/** Creates a team with credits, a key and a subscription for all events, as an operator does. */
export async function makeTenant(origin: string, address: string): Promise<Tenant> {
  const gql = async (query: string) => (await ask<{ data: Answer }>(origin, '/graphql', { token: serviceToken, body: { query } })).data
  const teamId = (await gql('mutation { createTeam(input: { name: "Studio" }) { id } }'))['createTeam']?.['id']
  const userId = (await gql('mutation { createUser(input: { email: "ada@example.test", name: "Ada" }) { id } }'))['createUser']?.['id']
  await gql(`mutation { setTeamMember(input: { teamId: "${teamId}", userId: "${userId}", role: OWNER }) { role } }`)
  await gql(
    `mutation { grantCredits(input: { teamId: "${teamId}", credits: 100000, note: "x", idempotencyKey: "x" }) { creditsAvailable } }`,
  )
  const scopes = 'CATALOG_READ, GENERATIONS_READ, GENERATIONS_WRITE, FILES_WRITE, ACCOUNT_READ'
  const issued = await gql(
    `mutation { issueApiKey(input: { teamId: "${teamId}", userId: "${userId}", name: "drill", scopes: [${scopes}] }) { value } }`,
  )
  const events = 'GENERATION_COMPLETED, GENERATION_FAILED, GENERATION_CANCELLED'
  await gql(
    `mutation { createWebhookSubscription(input: { teamId: "${teamId}", address: "${address}", events: [${events}] }) { signingSecret } }`,
  )
  return { key: String(issued['issueApiKey']?.['value']), teamId: String(teamId), userId: String(userId) }
}

type Generation = { id: string; generationId: string; state: string; result?: { url: string } | null }

export async function start(origin: string, { key }: Tenant, prompt: string): Promise<string> {
  const body = { familyId: 'sandbox-image', prompt }
  return (await ask<Generation>(origin, '/api/v1/generations', { token: key, body })).generationId
}

/** Waits for a generation and downloads its result by its link. */
export async function ready(origin: string, { key }: Tenant, id: string): Promise<FinishedGeneration> {
  const url = await awaited(`the result of ${id}`, async () => {
    const found = await ask<Generation & { url?: string }>(origin, `/api/v1/generations/${id}`, { token: key })
    if (found.state === 'failed') throw new Error(`${id} failed: ${JSON.stringify(found)}`)
    return found.state === 'ready' ? /"url":"([^"]+)"/.exec(JSON.stringify(found))?.[1] : undefined
  })
  return { id, url, bytes: await bytesAt(origin, url) }
}

/** Reads a link at `origin`, which may differ from the origin in the link. */
export async function bytesAt(origin: string, url: string): Promise<Buffer> {
  const response = await fetch(origin + new URL(url).pathname)
  if (response.status !== 200) throw new Error(`a link answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Reads the whole history: identifiers and states, newest first. */
export async function history(origin: string, { key }: Tenant): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
    const page: { items: Generation[]; nextCursor: string | null } = await ask(
      origin,
      `/api/v1/generations?limit=50${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      { token: key },
    )
    found.push(...page.items.map((item) => `${item.generationId} ${item.state}`))
    cursor = page.nextCursor
  }
  return found
}

/** Receives webhooks and records the identifiers of their generations. */
export async function receiveWebhooks(): Promise<{ address: string; received: Set<string>; close(): void }> {
  const received = new Set<string>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      for (const [id] of text.matchAll(/gen_[0-9a-z]{26}/g)) received.add(id)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close: () => server.close() }
}
