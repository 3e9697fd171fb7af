import { isId } from '../contract/ids.ts'
import { limits } from '../contract/limits.ts'
import { filesQuery, type PublicFile, presentFile } from '../contract/shapes/file.ts'
import { filesPage, listFiles } from '../domain/files/listFiles.ts'
import { builder } from './core/builder.ts'
import { countsAsPage } from './core/fieldSizes.ts'
import { keysetConnection, pageSize } from './core/keysetConnection.ts'
import { resolveTeamSpender } from './core/resolveTeamSpender.ts'
import { allow } from './core/scopes.ts'
import { argumentsOf } from './core/shapeFields.ts'
import { FileObject, MediaTypeEnum } from './fileMutations.ts'
import { TeamType } from './teams/team.ts'

const unusedArgument = { description: 'Only files that count towards the quota of unused files.' } as const

const FileListType = builder.objectRef<{ items: PublicFile[]; nextCursor: string | null }>('FileList')

builder.objectType(FileListType, {
  authScopes: { caller: true },
  fields: (t) => ({ json: t.field({ type: 'JSON', description: 'The response of GET /files.', resolve: (list) => list }) }),
})

builder.queryField('files', (t) =>
  t.field({
    type: FileListType,
    ...countsAsPage,
    description: 'The files of the team in `teamId` for internal tools, or of the key; newest first.',
    args: {
      ...argumentsOf(filesQuery.omit({ limit: true, unused: true })),
      unused: t.arg.boolean(unusedArgument),
      limit: t.arg.int({ required: true, defaultValue: limits.historyPageItems }),
      teamId: t.arg.id(),
    },
    authScopes: (_root, { teamId }) => allow('files.write', teamId),
    resolve: async (_root, { cursor, limit, teamId, type, unused }, { context }) => {
      const { ownerId } = await resolveTeamSpender(context, teamId)
      const filter = { type: type ?? null, unused: unused ?? false }
      const page = await filesPage(context, { ownerId, filter }, { cursor: cursor ?? undefined, limit: pageSize({ first: limit }) })
      return { items: page.files.map((row) => presentFile(row, context.docUrls)), nextCursor: page.nextCursor }
    },
  }),
)

builder.objectField(TeamType, 'files', (t) =>
  t.connection({
    type: FileObject,
    description: 'The files of the team, newest first, until they expire.',
    args: { type: t.arg({ type: MediaTypeEnum }), unused: t.arg.boolean(unusedArgument) },
    authScopes: ({ id }) => allow('files.read', id),
    resolve: ({ id: ownerId }, { type, unused, ...args }, { context }) => {
      const filter = { type: type ?? null, unused: unused ?? false }
      return keysetConnection(args, {
        keyOf: ({ fileId }: PublicFile) => fileId,
        isKey: (text) => isId('file', text),
        find: async (window) => (await listFiles(context, { ownerId, filter }, window)).map((row) => presentFile(row, context.docUrls)),
      })
    },
  }),
)
