import { keyAuthorization } from '../../domain/access/keys/keyAuthorization.ts'
import { hintsOf, keyHints } from '../../domain/access/keys/keyHints.ts'
import { stateOfKey } from '../../domain/access/keys/keyState.ts'
import { mayReceiveKeyValue } from '../../domain/access/keys/rotateKey.ts'
import { spendTodayOf } from '../../domain/credits/dailyCeiling.ts'
import { spendThisMonthOf } from '../../domain/credits/monthlyCeiling.ts'
import { countActiveLinks } from '../../domain/generations/links/countActiveLinks.ts'
import { countOpenGenerations } from '../../domain/generations/reading/countOpenGenerations.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { ApiKeyStateEnum, ApiKeyType, keyManagerScopes } from './apiKey.ts'
import { workingPreviousEndsAt } from './keyDocument.ts'

const ApiKeyHintEnum = builder.enumType('ApiKeyHint', {
  description:
    'In this order: refused because its issuer lost the role; refused because the person who rotated it lost the role, so rotate it again; 80 % of the daily or of the monthly ceiling spent or held; expires within 7 days; unused a day after its issue; unused for 90 days.',
  values: enumValues(keyHints),
})

/** Fields for the people who manage a key: its state, the effects of revoking it, and warnings. */
builder.objectFields(ApiKeyType, (t) => ({
  expiresAt: t.expose('expiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the key expires.',
    authScopes: keyManagerScopes,
  }),
  state: t.field({
    type: ApiKeyStateEnum,
    authScopes: keyManagerScopes,
    resolve: (key, _args, { context }) => stateOfKey(key, context.clock.now()),
  }),
  previousValueEndsAt: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'When the previous value stops working. Null when it has stopped, or when the person who was shown it does not manage the team.',
    authScopes: keyManagerScopes,
    resolve: (key, _args, { context }) => workingPreviousEndsAt(context, key),
  }),
  previousPrefix: t.string({
    nullable: true,
    description: 'The first characters of the previous value.',
    authScopes: keyManagerScopes,
    resolve: async (key, _args, { context }) => ((await workingPreviousEndsAt(context, key)) ? key.previousPrefix : null),
  }),
  rotatable: t.boolean({
    description:
      'Whether the caller may rotate the key. Only its issuer may rotate a key with the scope MCP, which spends their personal credits.',
    authScopes: keyManagerScopes,
    resolve: (key, _args, { context }) => stateOfKey(key, context.clock.now()) === 'live' && mayReceiveKeyValue(context, key),
  }),
  runningGenerations: t.int({
    description: 'Generations that it started and that have not ended. They continue when the key is revoked.',
    authScopes: keyManagerScopes,
    resolve: ({ id }, _args, { context }) => countOpenGenerations(context, id),
  }),
  liveLinks: t.int({
    description: 'Results to which it holds working links, counted up to 10,000. The links stop with the key.',
    authScopes: keyManagerScopes,
    resolve: ({ id }, _args, { context }) => countActiveLinks(context, id),
  }),
  hints: t.field({
    type: [ApiKeyHintEnum],
    description: 'Warnings about a live key.',
    authScopes: keyManagerScopes,
    resolve: async (key, _args, { context }) => {
      const { id: keyId } = key
      const [{ dailyLeft }, { monthlyLeft }, authority] = await Promise.all([
        spendTodayOf(context, keyId),
        spendThisMonthOf(context, { keyId }),
        keyAuthorization(context, key),
      ])
      return hintsOf(key, { dailyLeft, monthlyLeft, authority, now: context.clock.now() })
    },
  }),
}))
