import { readFile } from 'node:fs/promises'
import { Atelier } from '../atelier.ts'
import type { AtelierOptions } from '../connection.ts'
import type { Invocation } from './command.ts'
import { describeCause } from './describeError.ts'
import { standardInput } from './standardInput.ts'
import { UsageError } from './usageError.ts'

const defaultUrl = 'http://127.0.0.1:8080'

/** Makes the client from the options and the environment. Throws UsageError, never with the key in its message. */
export async function connect(invocation: Invocation, options: Partial<AtelierOptions> = {}): Promise<Atelier> {
  const baseUrl = apiAddress(invocation)
  const key = await keyOf(invocation)
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('The key contains invalid characters.')
  return new Atelier({ baseUrl, key, fetch: fetchWithNotices(invocation), timing: invocation.world.timing, ...options })
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

/** The base URL of the API. A URL without a path is that of the service. */
function apiAddress({ given, world }: Invocation): string {
  const text = given.text('url') ?? (world.env['ATELIER_URL'] || defaultUrl)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isValid = url !== undefined && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username + url.password === ''
  if (!isValid) throw new UsageError('--url or ATELIER_URL takes an http or https address, for example https://atelier.example')
  return url.pathname === '/' ? `${url.origin}/api/v1` : url.href
}

async function keyOf(invocation: Invocation): Promise<string> {
  const { given, world } = invocation
  const option = given.text('key')
  const file = given.text('key-file')
  if (option !== undefined && file !== undefined) throw new UsageError('--key and --key-file exclude each other.')
  if (option === '-') return nonEmpty((await standardInput(world)).toString('utf8'), 'standard input')
  if (option !== undefined) return option
  if (file !== undefined) return nonEmpty(await textOf(file), file)
  const variable = world.env['ATELIER_KEY']
  if (!variable) throw new UsageError('No key: set ATELIER_KEY, or give --key-file.')
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
