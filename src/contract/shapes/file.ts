import { z } from 'zod'
import { type FileType, fileTypes, type StoredFile } from '../../entities/StoredFile.ts'
import type { DocUrls } from '../docUrl.ts'
import type { CustomParams } from '../refusals/issues.ts'
import { presentRefusal, refusalBody } from '../refusals/refusalBody.ts'
import { type DetailsOf, Refusal, type RefusalCode } from '../refusals/refusals.ts'
import { moment, momentOf } from './credits.ts'
import { fieldsAccepting } from './media.ts'
import { cursor, limit } from './pageQuery.ts'

const urlCharactersMax = 8192
const mimeTypeCharactersMax = 255

/** The declared content type. */
export const mimeType = z
  .string()
  .min(1)
  .max(mimeTypeCharactersMax)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[ \t]*(;.*)?$/s, 'Takes a content type, for example image/png.')
  .meta({ description: 'The declared content type. A file with other content is refused.', examples: ['image/png'] })

/** The JSON fields of an upload, over REST, MCP and GraphQL. */
export const fileFields = {
  url: z
    .string()
    .min(1)
    .max(urlCharactersMax)
    .meta({ description: 'The link to download the file from: a public http or https address.' })
    .optional(),
  base64: z
    .string()
    .meta({ description: 'The content in base64 with padding, optionally with a `data:` prefix.', contentEncoding: 'base64' })
    .optional(),
  mimeType: mimeType.optional(),
}

/** The JSON body of an upload: a link or the content. Contract: docs/contract.md#upload-a-file. */
export const fileRequest = z
  .strictObject(fileFields)
  .superRefine((body, context) => requireExactlyOne(body, ['url', 'base64'], context))
  .meta({
    id: 'FileRequest',
    description: 'A file as a link or in base64: exactly one of `url` and `base64`.',
    // Not oneOf with required fields: most client generators make an empty type of it.
    override: {
      dependentSchemas: { url: { properties: { base64: false }, additionalProperties: true } },
      not: { properties: { url: false, base64: false } },
    },
  })

export type FileRequestBody = z.output<typeof fileRequest>

/** The parts of a form upload. Only for the documentation: the form is read as a stream. */
export const fileForm = z
  .object({
    file: z.string().meta({ description: 'The content.', override: { type: 'string', format: 'binary' } }),
    mimeType: mimeType.optional(),
  })
  .meta({ id: 'FileForm', description: 'A form with the file.' })

/** Adds an issue unless exactly one of the fields is set. */
export function requireExactlyOne<Way extends string>(
  sent: Partial<Record<Way, unknown>>,
  ways: readonly Way[],
  context: z.RefinementCtx,
): void {
  const [, second] = ways.filter((way) => sent[way] !== undefined && sent[way] !== null)
  const taken = ways.some((way) => sent[way] !== undefined && sent[way] !== null)
  if (taken && second === undefined) return
  const params: CustomParams = { issue: taken ? 'conflict' : 'required' }
  context.addIssue({ code: 'custom', path: [second ?? ways[0] ?? ''], message: `Takes exactly one of: ${ways.join(', ')}.`, params })
}

/** An uploaded file. Contract: docs/contract.md#file-object. */
export const file = z
  .object({
    fileId: z
      .string()
      .meta({ description: 'The identifier to use as an input of a generation.', examples: ['file_01kabc5m1dexampleexample0'] }),
    state: z.enum(['processing', 'ready', 'failed']).meta({ id: 'FileState' }),
    type: z
      .enum(fileTypes)
      .meta({ id: 'FileType', description: 'The media type.' })
      .nullable()
      .meta({ description: 'Null while it is unknown.' }),
    mimeType: z.string().nullable().meta({ description: 'The content type, detected from the content.' }),
    sizeBytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationSeconds: z.number().nullable(),
    usableIn: z.array(z.string()).meta({ description: 'The request fields that accept this fileId.' }),
    pollAfterSeconds: z.int().optional().meta({ description: 'While the file is processing: seconds to wait before the next read.' }),
    error: refusalBody.shape.error.optional().meta({ description: 'Why a failed file cannot be used, as a refusal.' }),
    createdAt: moment,
    expiresAt: moment.meta({ description: 'When the file is deleted, unless a generation has used it.' }),
  })
  .meta({ id: 'File' })

/** The query of GET /files. */
export const filesQuery = z.strictObject({
  cursor,
  limit,
  type: z.enum(fileTypes).optional().meta({ description: 'Only files of this media type.' }),
  unused: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'With `true`, only files that count towards the quota: no generation has used them, and they have not failed.' }),
})

export type PublicFile = z.output<typeof file>

const pollAfterSeconds = 2

/** The public shape of a file. */
export function presentFile(row: StoredFile, docUrls: DocUrls): PublicFile {
  const type = row.type ?? typeOf(row.mimeType)
  return {
    fileId: row.id,
    state: row.state,
    type,
    mimeType: row.mimeType,
    sizeBytes: row.sizeBytes,
    width: row.width,
    height: row.height,
    durationSeconds: row.durationSeconds === null ? null : Number(row.durationSeconds),
    usableIn: row.state === 'failed' || type === null ? [] : fieldsAccepting(type),
    ...(row.state === 'processing' ? { pollAfterSeconds } : {}),
    ...(row.refusal === null
      ? {}
      : presentRefusal(new Refusal(row.refusal.code as RefusalCode, row.refusal.details as DetailsOf<RefusalCode>), docUrls)),
    createdAt: momentOf(row.createdAt),
    expiresAt: momentOf(row.expiresAt),
  }
}

/** The media type of a content type, for a file whose own type is not known yet; null for others. */
function typeOf(mime: string | null): FileType | null {
  const [kind] = (mime ?? '').split('/')
  if (kind === 'model') return 'model3d'
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : null
}
