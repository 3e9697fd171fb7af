import { keyAuthorization } from '../../domain/access/keys/keyAuthorization.ts'
import { hintsOf, keyHints } from '../../domain/access/keys/keyHints.ts'
import { previousValueEndsAt, stateOfKey } from '../../domain/access/keys/keyState.ts'
import { mayReceiveKeyValue } from '../../domain/access/keys/rotateKey.ts'
import type { Context } from '../../domain/context.ts'
import { spendTodayOf } from '../../domain/credits/dailyCeiling.ts'
import { countActiveLinks } from '../../domain/generations/links/countActiveLinks.ts'
import { countOpenGenerations } from '../../domain/generations/reading/countOpenGenerations.ts'
import type { ApiKey } from '../../entities/ApiKey.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { ApiKeyStateEnum, ApiKeyType, keyManagerScopes } from './apiKey.ts'

const ApiKeyHintEnum = builder.enumType('ApiKeyHint', {
  description:
    'Refused since its issuer is no longer owner or administrator; refused since the person who rotated it, and was shown its value, is not: rotate it again; four fifths of the daily ceiling spent or held; ends within 7 days; unused a day after its issue; unused for 90 days.',
  values: enumValues(keyHints),
})

async function workingPreviousEndsAt(context: Context, key: ApiKey): Promise<Date | null> {
  const endsAt = previousValueEndsAt(key, context.clock.now())
  return endsAt !== null && (await keyAuthorization(context, key)).previousHolder ? endsAt : null
}

/** What whoever looks after keys asks about one: how it stands, what its end would cut, what is odd about it. */
builder.objectFields(ApiKeyType, (t) => ({
  expiresAt: t.expose('expiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it stops by itself.',
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
      'Until then the value before the last rotation works as well. Null also while the person who was shown it may not manage the team.',
    authScopes: keyManagerScopes,
    resolve: (key, _args, { context }) => workingPreviousEndsAt(context, key),
  }),
  previousPrefix: t.string({
    nullable: true,
    description: 'The leading part of that value.',
    authScopes: keyManagerScopes,
    resolve: async (key, _args, { context }) => ((await workingPreviousEndsAt(context, key)) ? key.previousPrefix : null),
  }),
  rotatable: t.boolean({
    description: 'Whether whoever asks may be given a new value: of a key for agents its issuer alone, whose personal credits it spends.',
    authScopes: keyManagerScopes,
    resolve: (key, _args, { context }) => stateOfKey(key, context.clock.now()) === 'live' && mayReceiveKeyValue(context, key),
  }),
  runningGenerations: t.int({
    description: 'What it started and has not ended yet. It runs on when the key is revoked.',
    authScopes: keyManagerScopes,
    resolve: ({ id }, _args, { context }) => countOpenGenerations(context, id),
  }),
  liveLinks: t.int({
    description: 'Results that it was handed links to which still work, counted up to 10,000. They stop when the key does.',
    authScopes: keyManagerScopes,
    resolve: ({ id }, _args, { context }) => countActiveLinks(context, id),
  }),
  hints: t.field({
    type: [ApiKeyHintEnum],
    description: 'What to know about it while it works.',
    authScopes: keyManagerScopes,
    resolve: async (key, _args, { context }) => {
      const [{ dailyLeft }, authority] = await Promise.all([spendTodayOf(context, key.id), keyAuthorization(context, key)])
      return hintsOf(key, { dailyLeft, authority, now: context.clock.now() })
    },
  }),
}))
