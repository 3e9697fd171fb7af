import { invalidRequest } from '../contract/refusals/refusals.ts'
import { requireUser } from '../domain/access/people/users.ts'
import { createUploadAddress, type UploadAddress } from '../domain/uploadAddress.ts'
import { builder } from './core/builder.ts'
import { resolveStartSpender } from './core/resolveTeamSpender.ts'
import { allow } from './core/scopes.ts'

const UploadAddressType = builder.objectRef<UploadAddress>('UploadAddress')

builder.objectType(UploadAddressType, {
  description: 'An address that takes the content of one file, as the body of one PUT request.',
  authScopes: { caller: true },
  fields: (t) => ({
    uploadUrl: t.exposeString('uploadUrl', { description: 'The address. Anyone who has it can upload the file.' }),
    fileId: t.exposeID('fileId', { description: 'The identifier of the file, which exists after the upload.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the address stops working.' }),
  }),
})

const CreateUploadAddressInput = builder.inputType('CreateUploadAddressInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    mimeType: t.string({ description: 'The type that the content must have.' }),
    userId: t.id({ description: 'To whom the address belongs, for internal tools.' }),
  }),
})

builder.mutationField('createUploadAddress', (t) =>
  t.field({
    type: UploadAddressType,
    description: 'Makes an upload address for a person who may run models in the team. The upload counts towards the quota of the team.',
    args: { input: t.arg({ type: CreateUploadAddressInput, required: true }) },
    authScopes: (_root, { input }) => allow('files.createUploadAddress', input.teamId),
    resolve: async (_root, { input: { teamId, mimeType, ...input } }, { context }) => {
      const named = (await resolveStartSpender(context, teamId)).userId ?? input.userId
      if (typeof named !== 'string') {
        const message = 'An upload address belongs to a person.'
        throw invalidRequest({ in: 'body', path: ['userId'], code: 'required', message })
      }
      // Any other text could contain fields of the token, such as another team.
      const { id: userId } = await requireUser(context, named, 'userId')
      return createUploadAddress(context, { kind: 'person', userId, teamId }, mimeType ?? undefined)
    },
  }),
)
