import { account } from '../../contract/account.ts'
import { noQuery } from '../../contract/list.ts'
import { endpoint } from '../endpoint.ts'

export const getAccount = endpoint({
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  tag: 'Account',
  summary: 'What may be spent right now',
  description: "The credits available, the state of the team, and the presented key's own ceilings, spending and permissions.",
  scope: 'account:read',
  query: noQuery,
  success: { status: 200, description: 'The account as this key sees it.', schema: account },
  operation: 'query GetAccount { account { json } }',
  refusals: [],
  handle: async ({ run }) => {
    const { account: found } = await run({})
    return { status: 200, body: (found as { json: unknown }).json }
  },
})
