import { deleteFile } from '../domain/files/deleteFile.ts'
import { builder } from './core/builder.ts'
import { allow } from './core/scopes.ts'
import { fileOwnerId } from './uploadFile.ts'

const DeletedType = builder.objectRef<{ fileId: string }>('DeleteFilePayload')

builder.objectType(DeletedType, {
  authScopes: { caller: true },
  fields: (t) => ({
    fileId: t.exposeID('fileId'),
    json: t.field({ type: 'JSON', resolve: (deleted) => deleted }),
  }),
})

builder.mutationField('deleteFile', (t) =>
  t.field({
    type: DeletedType,
    description: 'Deletes a file that no unfinished work has as an input, and its content.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: allow('files.write'),
    resolve: async (_root, { id }, { context }) => {
      await deleteFile(context, await fileOwnerId(context), id)
      return { fileId: id }
    },
  }),
)
