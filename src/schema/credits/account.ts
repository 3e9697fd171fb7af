import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { accountStatus } from '../../domain/access/keys/accountStatus.ts'
import { spenderOf } from '../../domain/access/spender.ts'
import { adjustCredits, grantCredits, loadAccounts, requireAccount } from '../../domain/credits/grantCredits.ts'
import type { CreditAccount } from '../../entities/CreditAccount.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { allow } from '../core/scopes.ts'

/** A credit account by its identifier. Its amounts are read when a field needs them, for all accounts of a request together. */
export const AccountType = builder.objectRef<{ id: string }>('Account')

const accounts = createContextCache(
  ({ context }: SchemaContext) =>
    new DataLoader<string, CreditAccount>(async (ids) => orderByKeys(ids, await loadAccounts(context, ids), ({ id }) => id)),
)

builder.objectType(AccountType, {
  authScopes: { caller: true },
  fields: (t) => ({
    creditsAvailable: t.float({
      description: 'Credits that a start may hold now.',
      resolve: async ({ id }, _args, request) => {
        const { balance, held } = await accounts(request).load(id)
        return creditsOf(hundredths(balance - held))
      },
    }),
    creditsHeld: t.float({
      description: 'Credits that running generations hold.',
      resolve: async ({ id }, _args, request) => creditsOf(hundredths((await accounts(request).load(id)).held)),
    }),
    json: t.field({
      type: 'JSON',
      nullable: true,
      description: 'GET /account of the calling key; null for other callers.',
      resolve: (_account, _args, { context }) => (context.actor.kind === 'key' ? accountStatus(context, context.actor) : null),
    }),
  }),
})

builder.queryField('account', (t) =>
  t.field({
    type: AccountType,
    description:
      'The account of a team or a user. A key gets the account that it spends; a person may read those of their teams and their own.',
    args: { teamId: t.arg.id(), userId: t.arg.id() },
    authScopes: (_root, { teamId, userId }) => allow('account.read', teamId, userId),
    resolve: async (_root, owner, { context }) =>
      context.actor.kind === 'key' ? { id: spenderOf(context.actor).accountId } : await requireAccount(context, owner),
  }),
)

const GrantCreditsInput = builder.inputType('GrantCreditsInput', {
  fields: (t) => ({
    teamId: t.id({ description: 'A team; or `userId`.' }),
    userId: t.id({ description: 'A person; or `teamId`.' }),
    credits: t.float({ required: true }),
    note: t.string({ required: true }),
    idempotencyKey: t.string({ required: true, description: 'A repeat with the same key grants nothing.' }),
  }),
})

const AdjustCreditsInput = builder.inputType('AdjustCreditsInput', {
  fields: (t) => ({
    teamId: t.id({ description: 'A team; or `userId`.' }),
    userId: t.id({ description: 'A person; or `teamId`.' }),
    credits: t.float({ required: true, description: 'Negative to take credits away, never below the held credits.' }),
    note: t.string({ required: true }),
    idempotencyKey: t.string({ required: true, description: 'A repeat with the same key changes nothing. Shared with `grantCredits`.' }),
  }),
})

builder.mutationFields((t) => ({
  grantCredits: t.field({
    type: AccountType,
    args: { input: t.arg({ type: GrantCreditsInput, required: true }) },
    authScopes: (_root, { input }) => allow('credits.grant', input.teamId ?? input.userId),
    resolve: (_root, { input }, { context }) => grantCredits(context, input),
  }),
  adjustCredits: t.field({
    type: AccountType,
    description: 'Corrects an account by a positive or negative amount, with a line in the ledger.',
    args: { input: t.arg({ type: AdjustCreditsInput, required: true }) },
    authScopes: (_root, { input }) => allow('credits.adjust', input.teamId ?? input.userId),
    resolve: (_root, { input }, { context }) => adjustCredits(context, input),
  }),
}))
