import { setTimeout as pause } from 'node:timers/promises'
import type { Balancer } from './balancer.ts'
import { serviceToken } from './serviceProcess.ts'

/** A team with credits, a key and a webhook, created like by an internal tool. */
export type ChaosTeam = { teamId: string; key: string; subscriptionId: string; signingSecret: string }

/** One delivery in the log. */
export type LoggedDelivery = { id: string; eventNumber: number; generationId: string | null; state: string; attempts: number }

export type Operator = {
  makeTeam(name: string, webhookAddress: string): Promise<ChaosTeam>
  account(team: ChaosTeam): Promise<{ creditsAvailable: number; creditsHeld: number }>
  deliveries(team: ChaosTeam): Promise<LoggedDelivery[]>
  /** `undefined` when the answering process is of a release without callbacks. */
  callbackSecret(team: ChaosTeam): Promise<string | undefined>
}

export const creditsGranted = 10_000
const tries = 20

/** Uses GraphQL with the service token. */
export function makeOperator({ fetch }: Balancer): Operator {
  async function askOnce<Data>(query: string, variables: Record<string, unknown>): Promise<Data> {
    const headers = { authorization: `Bearer ${serviceToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query, variables })
    const response = await fetch('http://127.0.0.1/graphql', { method: 'POST', headers, body })
    const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] }
    if (errors?.length || !data) throw new Error(errors?.[0]?.message ?? `status ${response.status}`)
    return data
  }

  const ask = <Data>(query: string, variables: Record<string, unknown>) => retried(() => askOnce<Data>(query, variables))

  async function makeTeamOnce(name: string, address: string): Promise<ChaosTeam> {
    const { createTeam } = await askOnce<{ createTeam: { id: string } }>(
      'mutation ($name: String!) { createTeam(input: { name: $name }) { id } }',
      { name },
    )
    const teamId = createTeam.id
    const { createUser } = await askOnce<{ createUser: { id: string } }>(
      'mutation ($email: String!) { createUser(input: { email: $email, name: "Chaos" }) { id } }',
      { email: `${teamId}@example.com` },
    )
    const made = await askOnce<{
      issueApiKey: { value: string }
      createWebhookSubscription: { signingSecret: string; subscription: { id: string } }
    }>(setUp, { teamId, userId: createUser.id, address, credits: creditsGranted })
    const { signingSecret, subscription } = made.createWebhookSubscription
    return { teamId, key: made.issueApiKey.value, subscriptionId: subscription.id, signingSecret }
  }

  return {
    // Starts again from the beginning: repeating a mutation without an answer could give one team two subscriptions with two secrets.
    makeTeam: (name, address) => retried(() => makeTeamOnce(name, address)),
    async account({ teamId }) {
      const query = 'query ($teamId: ID!) { account(teamId: $teamId) { creditsAvailable creditsHeld } }'
      return (await ask<{ account: { creditsAvailable: number; creditsHeld: number } }>(query, { teamId })).account
    },
    async callbackSecret({ teamId }) {
      const query = 'query ($teamId: ID!) { team(id: $teamId) { callbackSecret } }'
      const answer = await askOnce<{ team: { callbackSecret: string } }>(query, { teamId }).catch(() => undefined)
      return answer?.team.callbackSecret
    },
    async deliveries({ subscriptionId }) {
      const found: LoggedDelivery[] = []
      for (let after: string | null = null; ; ) {
        const page: DeliveryPage = await ask(deliveryPage, { id: subscriptionId, after })
        const { nodes, pageInfo }: DeliveryPage['webhookSubscription']['deliveries'] = page.webhookSubscription.deliveries
        found.push(...nodes)
        if (!pageInfo.hasNextPage) return found
        after = pageInfo.endCursor
      }
    },
  }
}

async function retried<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === tries) throw error
      await pause(500)
    }
  }
}

const setUp = `mutation ($teamId: ID!, $userId: ID!, $address: String!, $credits: Float!) {
  setTeamMember(input: { teamId: $teamId, userId: $userId, role: OWNER }) { role }
  grantCredits(input: { teamId: $teamId, credits: $credits, note: "chaos", idempotencyKey: "once" }) { creditsAvailable }
  issueApiKey(input: { teamId: $teamId, userId: $userId, name: "chaos",
    scopes: [ACCOUNT_READ, CATALOG_READ, FILES_WRITE, GENERATIONS_READ, GENERATIONS_WRITE] }) { value }
  createWebhookSubscription(input: { teamId: $teamId, address: $address,
    events: [GENERATION_COMPLETED, GENERATION_FAILED, GENERATION_CANCELLED] }) { signingSecret subscription { id } }
}`

type DeliveryPage = {
  webhookSubscription: { deliveries: { nodes: LoggedDelivery[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } }
}

const deliveryPage = `query ($id: ID!, $after: String) { webhookSubscription(id: $id) { deliveries(first: 50, after: $after) {
  nodes { id eventNumber generationId state attempts } pageInfo { hasNextPage endCursor } } } }`
