import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import type { Answered, TestApp } from '../app.ts'
import { aServiceContext, aTeamWithKey, restScopes, type TeamWithKey } from '../factories.ts'

export type Rights = Partial<Parameters<typeof issueKey>[1]>

/** Teams with a key that manages keys, and what such a key does. */
export function managerKeys({ services, ask }: Pick<TestApp, 'services' | 'ask'>) {
  const tool = aServiceContext(services)
  return {
    async aManager({ scopes = [...restScopes, 'keys:write'], ...rights }: Rights = {}): Promise<TeamWithKey> {
      const made = await aTeamWithKey(services)
      const asked = { teamId: made.team.id, userId: made.user.id, name: 'manager', scopes, ...rights }
      const { apiKey, value } = await issueKey(tool, asked)
      return { ...made, key: apiKey, value }
    },
    issue: (key: string, body: object = {}): Promise<Answered> =>
      ask('POST /keys', { key, body: { name: 'new', scopes: ['catalog:read'], ...body } }),
    /** A key of the team that a person issued. */
    async aKeyOf({ team, user }: Pick<TeamWithKey, 'team' | 'user'>, rights: Rights = {}) {
      const { apiKey, value } = await issueKey(tool, {
        teamId: team.id,
        userId: user.id,
        name: 'target',
        scopes: ['catalog:read'],
        ...rights,
      })
      return { id: apiKey.id, value }
    },
  }
}
