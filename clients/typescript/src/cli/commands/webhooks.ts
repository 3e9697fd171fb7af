import type { Operations, WebhookDelivery, WebhookSubscription } from '../../openapi.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'

type Events = Operations['createWebhook']['body']['events']

const allEvents: Events = ['generation.completed', 'generation.failed', 'generation.cancelled']

/** Manages the webhooks of the team. */
export const webhooks: Command = {
  name: 'webhooks',
  usage: [
    '',
    'add <address>',
    'pause|resume|delete|test <webhookId>',
    'rotate-secret <webhookId>',
    'deliveries <webhookId>|all|callbacks|alerts',
    'redeliver <deliveryId>',
  ],
  summary: 'list, add, pause, test and delete webhooks of the team, and send events again',
  about: 'Needs a key with the scope webhooks:write. A new signing secret is printed once.',
  options: {
    event: { type: 'string', multiple: true, value: '<event>', help: 'add: an event, such as generation.failed; default: all three' },
    'overlap-hours': { type: 'string', value: '<hours>', help: 'rotate-secret: how long the present secret also signs; default: 0' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given } = invocation
    if (given.arguments.length === 0) return await listAll(invocation)
    const [action = '', subject = ''] = given.named('action', 'address|webhookId|deliveryId')
    const act = actions[action]
    if (!act) throw new UsageError(`webhooks takes ${Object.keys(actions).join(', ')}.`)
    await act(invocation, subject)
  },
}

async function listAll(invocation: Invocation): Promise<void> {
  const { output, context } = invocation
  const client = await connect(invocation)
  const found: WebhookSubscription[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.listWebhooks(cursor ? { cursor } : {}, { signal: context.interrupted })
    found.push(...page.items)
    cursor = page.nextCursor
  }
  if (output.isJson) for (const each of found) output.json(each)
  else writeTable(output, ['WEBHOOK', 'ADDRESS', 'EVENTS', 'STATE', 'LAST DELIVERY'], found.map(rowOf))
}

function rowOf({ id, address, events, paused, lastDeliveryDay, lastDeliveryOutcome }: WebhookSubscription): string[] {
  const last = lastDeliveryDay === null ? 'none' : `${lastDeliveryDay} ${lastDeliveryOutcome}`
  return [id, address, events.join(','), paused ? 'paused' : 'active', last]
}

const actions: Record<string, (invocation: Invocation, subject: string) => Promise<void>> = {
  add: async (invocation, address) => {
    const { given, output, context } = invocation
    const named = given.texts('event') as Events
    const client = await connect(invocation)
    const made = await client.createWebhook({ address, events: named.length > 0 ? named : allEvents }, { signal: context.interrupted })
    if (output.isJson) output.json(made)
    else output.secret(`${made.subscription.id}\t${made.signingSecret}`)
  },
  pause: (invocation, id) => setPaused(invocation, { id, paused: true }),
  resume: (invocation, id) => setPaused(invocation, { id, paused: false }),
  delete: async (invocation, id) => {
    const client = await connect(invocation)
    await client.deleteWebhook(id, { signal: invocation.context.interrupted })
    invocation.output.note(`The webhook ${id} is deleted.`)
  },
  test: async (invocation, id) => {
    const client = await connect(invocation)
    const delivery = await client.sendTestEvent(id, { signal: invocation.context.interrupted })
    writeDelivery(invocation, delivery)
  },
  'rotate-secret': async (invocation, id) => {
    const { given, output, context } = invocation
    const overlapHours = given.number('overlap-hours', { min: 0, max: 24, whole: true }) ?? 0
    const client = await connect(invocation)
    const rotated = await client.rotateWebhookSecret(id, { overlapHours }, { signal: context.interrupted })
    if (output.isJson) output.json(rotated)
    else output.secret(rotated.signingSecret)
  },
  deliveries: async (invocation, id) => {
    const { output, context } = invocation
    const client = await connect(invocation)
    const options = { signal: context.interrupted }
    const ofTeam = id === 'all' ? {} : lists[id]
    const { items } = await (ofTeam ? client.listTeamDeliveries(ofTeam, options) : client.listDeliveries(id, {}, options))
    if (output.isJson) for (const each of items) output.json(each)
    else {
      const rows = items.map((each) => [each.id, each.time, each.event, each.state, String(each.attempts), String(each.responseCode ?? '')])
      writeTable(output, ['DELIVERY', 'TIME', 'EVENT', 'STATE', 'ATTEMPTS', 'RESPONSE'], rows)
    }
  },
  redeliver: async (invocation, id) => {
    const client = await connect(invocation)
    const delivery = await client.redeliver(id, { signal: invocation.context.interrupted })
    writeDelivery(invocation, delivery)
  },
}

/** The lists of the team by kind. */
const lists: Partial<Record<string, { kind: 'callback' | 'alert' }>> = { callbacks: { kind: 'callback' }, alerts: { kind: 'alert' } }

async function setPaused(invocation: Invocation, { id, paused }: { id: string; paused: boolean }): Promise<void> {
  const client = await connect(invocation)
  const changed = await client.updateWebhook(id, { paused }, { signal: invocation.context.interrupted })
  if (invocation.output.isJson) invocation.output.json(changed)
  else invocation.output.row(rowOf(changed))
}

function writeDelivery({ output }: Invocation, delivery: WebhookDelivery): void {
  if (output.isJson) output.json(delivery)
  else output.row([delivery.id, delivery.state])
}
