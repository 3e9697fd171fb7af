import { creditsOf } from '../../contract/hundredths.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { isLedgerLineId, type LedgerLine, ledgerKinds, listLedger } from '../../domain/credits/listLedger.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { TeamType } from '../teams/team.ts'
import { UserType } from '../teams/user.ts'

const LedgerKind = builder.enumType('LedgerKind', {
  description: 'GRANT adds credits or takes them away, HOLD reserves them, CAPTURE spends held credits, RELEASE returns held credits.',
  values: enumValues(ledgerKinds),
})

const LedgerLineType = builder.objectRef<LedgerLine>('LedgerLine')

builder.objectType(LedgerLineType, {
  description: 'One movement of credits. Lines are never changed.',
  authScopes: { caller: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: LedgerKind }),
    credits: t.float({
      description: 'The amount moved. Negative for a grant that takes credits away.',
      resolve: ({ amount }) => creditsOf(amount),
    }),
    generationId: t.exposeID('generationId', { nullable: true }),
    familyId: t.exposeString('familyId', { nullable: true, description: 'The family of the generation.' }),
    key: t.field({
      type: ApiKeyType,
      nullable: true,
      description: 'The key that started the generation; null if an internal tool started it.',
      resolve: ({ keyId }) => keyId,
    }),
    note: t.exposeString('note', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
})

for (const owner of [TeamType, UserType]) {
  builder.objectField(owner, 'ledger', (t) =>
    t.connection({
      type: LedgerLineType,
      description: 'Newest first.',
      args: { grantsOnly: t.arg.boolean({ description: 'Omits the lines of generations.' }) },
      resolve: ({ id }: { id: string }, args, { context }) =>
        keysetConnection(args, {
          find: (window) => listLedger(context, accountIdOf(id), { ...window, grantsOnly: args.grantsOnly ?? false }),
          keyOf: (line) => line.id,
          isKey: isLedgerLineId,
        }),
    }),
  )
}
