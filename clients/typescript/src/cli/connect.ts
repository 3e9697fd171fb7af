import { readFile } from 'node:fs/promises'
import { Atelier } from '../atelier.ts'
import { describeCause } from '../errors/describeCause.ts'
import type { AtelierOptions } from '../http/connection.ts'
import { serviceAddress } from '../http/serviceAddress.ts'
import type { Invocation } from './command.ts'
import { standardInput } from './standardInput.ts'
import { MissingKey, UsageError } from './usageError.ts'

/** Makes the client from the options and the environment. Throws UsageError, never with the key in its message. */
export async function connect(invocation: Invocation, options: Partial<AtelierOptions> = {}): Promise<Atelier> {
  const { given, context } = invocation
  requireAddress(invocation)
  const key = await keyOf(invocation)
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('The key contains invalid characters.')
  const { env: environment, timing } = context
  return new Atelier({ baseUrl: given.text('url'), key, environment, fetch: fetchWithNotices(invocation), timing, ...options })
}

/** The client retries silently. This prints once why it waits. */
function fetchWithNotices({ output }: Invocation): typeof globalThis.fetch {
  let wasPrinted = false
  const tell = (words: string) => {
    if (!wasPrinted) output.note(`${words} Retrying.`)
    wasPrinted = true
  }
  return async (input, init) => {
    try {
      const response = await globalThis.fetch(input, init)
      if (response.status === 429 || response.status >= 500) tell(`The service answered ${response.status}.`)
      return response
    } catch (error) {
      if (!init?.signal?.aborted) tell(`The service cannot be reached (${describeCause(error)}).`)
      throw error
    }
  }
}

function requireAddress({ given, context }: Invocation): void {
  try {
    serviceAddress(given.text('url'), context.env)
  } catch (cause) {
    const message = '--url or ATELIER_URL takes an http or https address, for example https://atelier.example, with or without /api/v1'
    throw new UsageError(message, { cause })
  }
}

async function keyOf(invocation: Invocation): Promise<string> {
  const { given, context } = invocation
  const option = given.text('key')
  const file = given.text('key-file')
  if (option !== undefined && file !== undefined) throw new UsageError('--key and --key-file exclude each other.')
  if (option === '-') return nonEmpty((await standardInput(context)).toString('utf8'), 'standard input')
  if (option !== undefined) return option
  if (file !== undefined) return nonEmpty(await textOf(file), file)
  const variable = context.env['ATELIER_KEY']
  if (!variable?.trim()) throw new MissingKey('There is no API key: set ATELIER_KEY, or give --key-file.')
  return variable.trim()
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`The key file ${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

function nonEmpty(text: string, where: string): string {
  const key = text.trim()
  if (key === '') throw new UsageError(`There is no key in ${where}.`)
  return key
}
