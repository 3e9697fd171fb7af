import { readFile } from 'node:fs/promises'
import type { Command, Invocation } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { requireFile } from '../inputs.ts'
import { standardInput } from '../standardInput.ts'
import { UsageError } from '../usageError.ts'
import { checkWebhook } from '../verify/checkWebhook.ts'
import { givenSecret, secretOptions } from '../webhookSecret.ts'

const defaultToleranceSeconds = 300

/** Helps developers of receivers to find out why a signature does not match. */
export const verify: Command = {
  name: 'verify',
  usage: ['--body <path> --header <name: value> … --secret <whsec_…>'],
  summary: 'check the signature of a webhook, and show what is wrong',
  about: 'Works offline. The body must be the exact received bytes. With --json a genuine event is printed.',
  options: {
    body: { type: 'string', value: '<path>', help: 'a file with the body; default: standard input' },
    header: { type: 'string', short: 'H', multiple: true, value: '<name: value>', help: 'a header of the request' },
    headers: { type: 'string', value: '<path>', help: 'a file with the headers, one per line' },
    ...secretOptions,
    at: { type: 'string', value: '<moment>', help: 'when it arrived, in Unix seconds or as 2026-11-20T12:00:00Z; default: now' },
    tolerance: { type: 'string', value: '<time>', help: 'the maximum age on arrival; default: 300 seconds' },
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    given.named()
    const secret = await givenSecret(given, context)
    if (secret === undefined) throw new UsageError('No secret: set WEBHOOK_SECRET, or give --secret-file.')
    const headers = await headersOf(invocation)
    const now = momentOf(given.text('at'))
    const toleranceSeconds = given.seconds('tolerance') ?? defaultToleranceSeconds
    const body = await bodyOf(invocation)
    const findings = await checkWebhook({ body, headers, secret, now, toleranceSeconds })
    const isGenuine = findings.every(({ isGood }) => isGood)
    if (output.isJson) {
      for (const { isGood, words } of findings) if (!isGood) output.warn(words)
      if (isGenuine) output.json(JSON.parse(body.toString('utf8')))
    } else {
      for (const { isGood, words } of findings) output.data({ text: isGood ? 'ok  ' : 'no  ', colour: isGood ? 'green' : 'red' }, words)
    }
    return isGenuine ? exitCodes.ok : exitCodes.failed
  },
}

async function bodyOf({ given, context }: Invocation): Promise<Buffer> {
  const path = given.text('body')
  if (path === undefined || path === '-') return await standardInput(context)
  await requireFile(path, '--body')
  return await readFile(path)
}

/** Parses headers in HTTP format. Headers with one name are joined. Other lines, such as `POST / HTTP/1.1`, are skipped. */
async function headersOf({ given }: Invocation): Promise<Headers> {
  const path = given.text('headers')
  if (path !== undefined) await requireFile(path, '--headers')
  const lines = path === undefined ? [] : (await readFile(path, 'utf8')).split(/\r?\n/)
  const headers = new Headers()
  const add = (line: string): boolean => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*?)\s*$/.exec(line) ?? []
    // Values that Headers rejects are not relevant.
    if (name !== '' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers.append(name, value)
    return name !== ''
  }
  for (const line of lines) add(line)
  for (const line of given.texts('header')) if (!add(line)) throw new UsageError("--header takes 'name: value'.")
  return headers
}

function momentOf(text: string | undefined): number {
  if (text === undefined) return Date.now() / 1000
  if (/^\d{1,12}$/.test(text)) return Number(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return Date.parse(text) / 1000
  throw new UsageError('--at takes Unix seconds, or a time such as 2026-11-20T12:00:00Z.')
}
