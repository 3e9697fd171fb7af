import { readFile } from 'node:fs/promises'
import type { Options } from './command.ts'
import type { CommandContext } from './commandContext.ts'
import { isSecret } from './listen/signature.ts'
import type { ParsedArguments } from './parsedArguments.ts'
import { UsageError } from './usageError.ts'

export const secretOptions: Options = {
  secret: { type: 'string', value: '<whsec_…>', help: 'the signing secret; default: --secret-file, then WEBHOOK_SECRET' },
  'secret-file': { type: 'string', value: '<path>', help: 'a file with the secret' },
}

/** The given signing secret, if any. Throws UsageError, never with the secret in its message. */
export async function givenSecret(given: ParsedArguments, context: CommandContext): Promise<string | undefined> {
  const option = given.text('secret')
  const file = given.text('secret-file')
  if (option !== undefined && file !== undefined) throw new UsageError('--secret and --secret-file exclude each other.')
  const text = (option ?? (file === undefined ? context.env['WEBHOOK_SECRET'] : await contentOf(file)))?.trim()
  if (text === undefined || text === '') return undefined
  if (isSecret(text)) return text
  throw new UsageError('This is not a signing secret. It must be whsec_ and 44 characters of base64, exactly as printed.')
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`The secret file ${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}
