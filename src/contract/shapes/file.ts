import { z } from 'zod'
import type { FileType, StoredFile } from '../../entities/StoredFile.ts'
import type { DocUrls } from '../docUrl.ts'
import type { CustomParams } from '../refusals/issues.ts'
import { presentRefusal, refusalBody } from '../refusals/refusalBody.ts'
import { type DetailsOf, Refusal, type RefusalCode } from '../refusals/refusals.ts'
import { moment, momentOf } from './credits.ts'
import { fieldsAccepting } from './media.ts'

const urlCharactersMax = 8192
const mimeTypeCharactersMax = 255

/** What a sender says that the content is. */
export const mimeType = z
  .string()
  .min(1)
  .max(mimeTypeCharactersMax)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[ \t]*(;.*)?$/s, 'Takes a content type such as image/png.')
  .meta({ description: 'What the content is; a file whose content is something else is refused.', examples: ['image/png'] })

/** What of a file is sent as JSON, over REST and by agents and internal tools alike. */
export const fileFields = {
  url: z
    .string()
    .min(1)
    .max(urlCharactersMax)
    .meta({ description: 'Where the file is fetched from: a public http or https address.' })
    .optional(),
  base64: z
    .string()
    .meta({ description: 'The content in base64 with padding; a `data:` prefix may stand before it.', contentEncoding: 'base64' })
    .optional(),
  mimeType: mimeType.optional(),
}

/** The JSON body of an upload: a link, or the content itself. Contract: docs/contract.md#upload-a-file. */
export const fileRequest = z
  .strictObject(fileFields)
  .superRefine((body, context) => requireExactlyOne(body, ['url', 'base64'], context))
  .meta({
    id: 'FileRequest',
    description: 'A file by link or in base64: exactly one of `url` and `base64`.',
    // A choice of required fields beside the fields would become a type that says nothing, in most generated clients.
    override: {
      dependentSchemas: { url: { properties: { base64: false }, additionalProperties: true } },
      not: { properties: { url: false, base64: false } },
    },
  })

export type FileRequestBody = z.output<typeof fileRequest>

/** The parts of an upload as a form. It is read part by part, so that this only describes it. */
export const fileForm = z
  .object({
    file: z.string().meta({ description: 'The content.', override: { type: 'string', format: 'binary' } }),
    mimeType: mimeType.optional(),
  })
  .meta({ id: 'FileForm', description: 'A file as a part of a form.' })

/** Adds an issue unless exactly one of the ways to send a file is taken. */
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
    fileId: z.string().meta({ description: 'What a generation takes as an input.', examples: ['file_01kabc5m1dexampleexample0'] }),
    state: z.enum(['processing', 'ready', 'failed']).meta({ id: 'FileState' }),
    type: z
      .enum(['image', 'video', 'audio', 'model3d'])
      .meta({ id: 'FileType', description: 'What kind of media it holds.' })
      .nullable()
      .meta({ description: 'Null while that is not known.' }),
    mimeType: z.string().nullable().meta({ description: 'What the content is, by its signature.' }),
    sizeBytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationSeconds: z.number().nullable(),
    usableIn: z.array(z.string()).meta({ description: 'Request fields that take this fileId.' }),
    pollAfterSeconds: z.int().optional().meta({ description: 'While it is processing: ask again after so many seconds.' }),
    error: refusalBody.shape.error.optional().meta({ description: 'Why a failed file cannot be used.' }),
    createdAt: moment,
    expiresAt: moment.meta({ description: 'When the file is removed unless a generation has used it.' }),
  })
  .meta({ id: 'File' })

export type PublicFile = z.output<typeof file>

const pollAfterSeconds = 2

/** Translates a file into its public shape. */
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

/** The kind that a content type belongs to; while a file is processing, its own may still be open. */
function typeOf(mime: string | null): FileType | null {
  const [kind] = (mime ?? '').split('/')
  if (kind === 'model') return 'model3d'
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : null
}
