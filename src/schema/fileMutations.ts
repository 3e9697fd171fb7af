import { GraphQLError } from 'graphql'
import { z } from 'zod'
import { isId } from '../contract/ids.ts'
import { file, fileFields, type PublicFile, presentFile, requireExactlyOne } from '../contract/shapes/file.ts'
import type { Context } from '../domain/context.ts'
import { acceptFile, type SentFile } from '../domain/files/acceptFile.ts'
import { deleteFile } from '../domain/files/deleteFile.ts'
import { findFile } from '../domain/files/fileRows.ts'
import { readFile } from '../domain/files/readFile.ts'
import { type IncomingContent, isIncomingContent } from '../domain/incomingContent.ts'
import { invariant } from '../domain/invariant.ts'
import { builder } from './core/builder.ts'
import type { SchemaContext } from './core/context.ts'
import { enumValues } from './core/enumValues.ts'
import { resolveStartSpender, resolveTeamSpender } from './core/resolveTeamSpender.ts'
import { type AuthScopes, allow } from './core/scopes.ts'
import { inputTypeOf, outputFields } from './core/shapeFields.ts'

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
    authScopes: (_root, { id }, request) => fileScopes(request, id),
    resolve: async (_root, { id }, { context }) => {
      await deleteFile(context, await fileOwnerId(context), id)
      return { fileId: id }
    },
  }),
)

builder.scalarType('Upload', {
  description: 'Content that a door of this very process is receiving. It cannot be written as JSON, so that it never comes from outside.',
  parseValue: (value) => {
    if (isIncomingContent(value)) return value
    throw new GraphQLError('An upload comes through POST /files, or here as a link or base64.')
  },
})

export const FileStateEnum = builder.enumType('FileState', { values: enumValues(file.shape.state.options) })
export const MediaTypeEnum = builder.enumType('MediaType', { values: enumValues(file.shape.type.unwrap().options) })

/** An uploaded file in its one public shape, which every field reads from. */
export const FileObject = builder.objectRef<PublicFile>('File')

builder.objectType(FileObject, {
  authScopes: { caller: true },
  fields: (t) => ({
    ...outputFields(t, file, {
      fileId: { type: 'ID' },
      state: { type: FileStateEnum },
      type: { type: MediaTypeEnum },
      error: { type: 'JSON' },
    }),
    json: t.field({ type: 'JSON', description: 'As POST /files answers.', resolve: (shown) => shown }),
  }),
})

const ways = ['url', 'base64', 'content'] as const

const uploadInput = z
  .object({
    teamId: z.string().nullish(),
    content: z.custom<IncomingContent>().nullish(),
    url: fileFields.url.nullable(),
    base64: fileFields.base64.nullable(),
    mimeType: fileFields.mimeType.nullable(),
  })
  .superRefine((input, context) => requireExactlyOne(input, ways, context))

const UploadFileInput = inputTypeOf('UploadFileInput', uploadInput, {
  description: 'A file by link or in base64: exactly one of the two.',
  fields: {
    teamId: { type: 'ID', description: 'Whose file it becomes, for people and internal tools.' },
    content: { type: 'Upload' },
  },
})

builder.mutationField('uploadFile', (t) =>
  t.field({
    type: FileObject,
    description: 'Takes a file in as an input of generations.',
    args: { input: t.arg({ type: UploadFileInput, required: true }) },
    authScopes: (_root, { input }) => allow('files.upload', input.teamId),
    resolve: async (_root, { input }, { context, signal }) => {
      const { ownerId, userId } = await resolveStartSpender(context, input.teamId)
      return presentFile(await acceptFile(context, { ownerId, userId }, toSentFile(input), signal), context.docUrls)
    },
  }),
)

type Input = { [Name in 'content' | 'url' | 'base64' | 'mimeType']?: z.output<typeof uploadInput>[Name] }

function toSentFile({ content, url, base64, mimeType }: Input): SentFile {
  const declared = { mimeType: mimeType ?? undefined }
  if (content) return { content }
  if (typeof url === 'string') return { url, ...declared }
  invariant(typeof base64 === 'string', 'one way to send a file is taken')
  return { base64, ...declared }
}

builder.queryField('file', (t) =>
  t.field({
    type: FileObject,
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) => fileScopes(request, id),
    resolve: async (_root, { id }, { context }) => presentFile(await readFile(context, await fileOwnerId(context), id), context.docUrls),
  }),
)

/** The scopes of an action on the file with that identifier. The owner is loaded only for service tokens that are limited to teams. */
async function fileScopes({ context }: SchemaContext, id: string): Promise<Partial<AuthScopes>> {
  const { actor } = context
  const dependsOnOwner = actor.kind === 'service' && actor.token?.teamIds && isId('file', id)
  return allow('files.write', dependsOnOwner ? (await findFile(context, id))?.ownerId : undefined)
}

/** Whose files the caller reaches: a key's own, an internal tool those that its token permits. */
async function fileOwnerId(context: Context): Promise<string | undefined> {
  return context.actor.kind === 'key' ? (await resolveTeamSpender(context, undefined)).ownerId : undefined
}
