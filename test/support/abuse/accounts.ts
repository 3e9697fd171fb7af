import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { serviceToken } from '../chaos/serviceProcess.ts'

/** The people of one team with their credentials, each with their own rate limit. */
export type AttackerAccounts = {
  teamId: string
  /** Keys of owners, with every scope of REST. */
  keys: string[]
  /** Keys for agents. */
  agentKeys: string[]
  /** Cookies of plain members. */
  sessions: string[]
}

type Wanted = { keys: number; agentKeys?: number; sessions?: number }

const password = 'correct horse battery staple'
const people = { count: 0 }

const endSeconds = 60
/** Root fields of one document. */
const rootFieldsMax = 20

/** Uses GraphQL with the service token at `toolsOrigin`, like an internal tool. People sign in at `origin`. */
export function makeAccounts({ toolsOrigin, origin }: { toolsOrigin: string; origin: string }) {
  async function ask<Data>(query: string, variables: Record<string, unknown>): Promise<Data> {
    const answer = await post(`${toolsOrigin}/graphql`, {
      headers: { authorization: `Bearer ${serviceToken}` },
      body: { query, variables },
    })
    const { data, errors } = JSON.parse(answer.text) as { data?: Data; errors?: { message: string }[] }
    if (errors?.length || !data) throw new Error(errors?.[0]?.message ?? answer.text)
    return data
  }

  async function join(teamId: string, role: 'OWNER' | 'MEMBER'): Promise<{ userId: string; email: string }> {
    const email = `person${(people.count += 1)}@example.com`
    const { createUser } = await ask<{ createUser: { id: string } }>(
      `mutation ($email: String!, $password: String!) {
        createUser(input: { email: $email, name: "Somebody", password: $password, subscriptionActive: true }) { id } }`,
      { email, password },
    )
    const userId = createUser.id
    await ask(
      `mutation ($teamId: ID!, $userId: ID!, $role: Role!, $credits: Float!, $once: String!) {
        setTeamMember(input: { teamId: $teamId, userId: $userId, role: $role }) { role }
        grantCredits(input: { userId: $userId, credits: $credits, note: "abuse", idempotencyKey: $once }) { creditsAvailable } }`,
      { teamId, userId, role, credits: 100_000, once: userId },
    )
    return { userId, email }
  }

  async function issueKey(variables: { teamId?: string; userId: string; scopes: string[] }): Promise<string> {
    const { issueApiKey } = await ask<{ issueApiKey: { value: string } }>(
      `mutation ($teamId: ID, $userId: ID!, $scopes: [Scope!]!) {
        issueApiKey(input: { teamId: $teamId, userId: $userId, name: "abuse", scopes: $scopes }) { value } }`,
      variables,
    )
    return issueApiKey.value
  }

  async function signIn(email: string): Promise<string> {
    const answer = await post(`${origin}/auth/sign-in/email`, { headers: { origin }, body: { email, password } })
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0]
    if (cookie === undefined) throw new Error(`nobody could sign in: ${answer.text}`)
    return cookie
  }

  async function statesOf(ids: string[]): Promise<string[]> {
    const states: string[] = []
    for (let from = 0; from < ids.length; from += rootFieldsMax) {
      const fields = ids.slice(from, from + rootFieldsMax).map((id, index) => `g${index}: generation(id: "${id}") { state }`)
      states.push(...Object.values(await ask<Record<string, { state: string }>>(`{ ${fields.join(' ')} }`, {})).map(({ state }) => state))
    }
    return states
  }

  return {
    async makeTeam(name: string): Promise<string> {
      const { createTeam } = await ask<{ createTeam: { id: string } }>(
        'mutation ($name: String!) { createTeam(input: { name: $name }) { id } }',
        { name },
      )
      await ask(
        `mutation ($teamId: ID!) {
          grantCredits(input: { teamId: $teamId, credits: 1000000, note: "abuse", idempotencyKey: "once" }) { creditsAvailable } }`,
        { teamId: createTeam.id },
      )
      return createTeam.id
    },
    /** New people for a team. */
    async makeCrew(teamId: string, { keys, agentKeys = 0, sessions = 0 }: Wanted): Promise<AttackerAccounts> {
      const accounts: AttackerAccounts = { teamId, keys: [], agentKeys: [], sessions: [] }
      for (let index = 0; index < keys; index += 1) {
        accounts.keys.push(await issueKey({ teamId, userId: (await join(teamId, 'OWNER')).userId, scopes: restScopes }))
      }
      for (let index = 0; index < agentKeys; index += 1) {
        accounts.agentKeys.push(await issueKey({ userId: (await join(teamId, 'MEMBER')).userId, scopes: ['MCP'] }))
      }
      for (let index = 0; index < sessions; index += 1) accounts.sessions.push(await signIn((await join(teamId, 'MEMBER')).email))
      return accounts
    },
    /** The number of these generations that become ready soon. */
    async countReady(ids: string[]): Promise<number> {
      const until = performance.now() + endSeconds * 1000
      let open = ids
      let ready = 0
      while (open.length > 0 && performance.now() < until) {
        const states = await statesOf(open)
        ready += states.filter((state) => state === 'READY').length
        open = open.filter((_, index) => ['QUEUED', 'RUNNING', 'FINALIZING'].includes(states[index] ?? ''))
        if (open.length > 0) await pause(500)
      }
      return ready
    },
    /** Adds the most expensive history to read: pages of the longest prompts. */
    async fillHistory(teamId: string, generations: number): Promise<void> {
      const { userId } = await join(teamId, 'OWNER')
      for (let index = 0; index < generations; index += 1) {
        await ask(
          `mutation ($teamId: ID!, $userId: ID!, $prompt: String!) { recordEditorGeneration(input: { teamId: $teamId, userId: $userId,
            familyId: "sandbox-image", outputType: IMAGE, prompt: $prompt, state: FAILED }) { generationId } }`,
          { teamId, userId, prompt: '😀'.repeat(20_000) },
        )
      }
    },
  }
}

/** Uses a new address each time, which no attacker has, so that address limits do not refuse the people of the drill. */
async function post(
  url: string,
  { headers, body }: { headers: object; body: object },
): Promise<{ headers: IncomingMessage['headers']; text: string }> {
  const localAddress = `127.0.2.${1 + (people.count % 250)}`
  const asking = request(url, { method: 'POST', localAddress, headers: { 'content-type': 'application/json', ...headers } })
  asking.end(JSON.stringify(body))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { headers: response.headers, text: await text(response) }
}

export type Accounts = ReturnType<typeof makeAccounts>

const restScopes = ['ACCOUNT_READ', 'CATALOG_READ', 'FILES_WRITE', 'GENERATIONS_READ', 'GENERATIONS_WRITE']
