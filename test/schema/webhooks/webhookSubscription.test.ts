import { afterAll, expect, test } from 'vitest'
import { createSubscription } from '../../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { webhookEvents } from '../../../src/entities/WebhookSubscription.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { aPerson } from '../../support/people/aPerson.ts'
import { aMember } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

test('webhooks are searched by a part of their address', async () => {
  const { team, user } = await aTeamWithKey(services)
  const add = async (address: string) => {
    const { subscription } = await createSubscription(aServiceContext(services), { teamId: team.id, address, events: webhookEvents })
    return { id: subscription.id }
  }
  const [first, second] = [await add('https://203.0.114.9/first'), await add('https://203.0.114.9/Second%')]
  const list = `query ($id: ID!, $search: String) { team(id: $id) { webhookSubscriptions(search: $search) { nodes { id } } } }`
  const search = async (text: string, by = user.id) => {
    const { data, codes, issues } = await aPerson(services, by)(list, { id: team.id, search: text })
    return codes.length > 0 ? [...codes, ...issues] : data
  }
  const found = (...nodes: object[]) => ({ team: { webhookSubscriptions: { nodes } } })
  expect(await search('/SECOND')).toEqual(found(second))
  expect(await search('%')).toEqual(found(second))
  expect(await search('')).toEqual(found(second, first))
  expect(await search('x'.repeat(201))).toEqual(['invalid_request', 'search: too_long'])
  const member = await aMember(services, { teamId: team.id, role: 'member' })
  expect(await search('first', member.id)).toEqual(['access_denied'])
})
