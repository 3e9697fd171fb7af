import type { Atelier } from '../atelier.ts'
import { AtelierError } from '../errors/atelierError.ts'
import type { GenerationRequest, WebhookEventName } from '../openapi.ts'
import type { Invocation } from './command.ts'
import { mediaFields, type Uploaded } from './inputs.ts'
import { typedParameter } from './parameters.ts'
import type { ParsedArguments } from './parsedArguments.ts'
import { standardInput } from './standardInput.ts'
import { UsageError } from './usageError.ts'

/** Builds the request from the command line. Throws UsageError, and errors of the client. */
export async function requestOf(client: Atelier, invocation: Invocation): Promise<{ request: GenerationRequest; uploaded: Uploaded }> {
  const { given } = invocation
  const [familyId, prompt] = familyAndPrompt(given)
  const axes = given.pairs('axis')
  const modelId = given.text('model')
  if (modelId !== undefined && axes.length > 0) throw new UsageError('--model and --axis exclude each other.')
  const maxCredits = given.number('max-credits', { min: 0, max: 1_000_000_000 })
  const reference = given.text('reference')
  const metadata = given.pairs('metadata')
  const webhook = callbackOf(given)
  const parameters = await parametersOf(client, invocation, familyId)
  const words = prompt === '-' ? (await standardInput(invocation.context)).toString('utf8').trimEnd() : prompt
  const { fields, uploaded } = await mediaFields(client, invocation)
  const request: GenerationRequest = {
    familyId,
    ...(words === undefined ? {} : { prompt: words }),
    ...(axes.length > 0 ? { axes: Object.fromEntries(axes) } : {}),
    ...(modelId === undefined ? {} : { modelId }),
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    ...fields,
    ...(maxCredits === undefined ? {} : { maxCredits }),
    ...(reference === undefined ? {} : { reference }),
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
    ...(webhook === undefined ? {} : { webhook }),
  }
  return { request, uploaded }
}

function callbackOf(given: ParsedArguments): GenerationRequest['webhook'] {
  const url = given.text('webhook')
  const events = given.texts('webhook-event') as WebhookEventName[]
  if (url === undefined && events.length > 0) throw new UsageError('--webhook-event goes with --webhook <address>.')
  return url === undefined ? undefined : { url, ...(events.length > 0 ? { events } : {}) }
}

function familyAndPrompt(given: ParsedArguments): [string, string | undefined] {
  const [family, prompt, ...more] = given.arguments
  if (family === undefined) throw new UsageError('<family> is missing: `atelier-client families` lists them.')
  if (more.length > 0) throw new UsageError('There are too many arguments. Put quotes around a prompt with spaces.')
  return [family, prompt]
}

/** `name:=json` is used unchanged. For `name=value` the family is read once, for the type of the parameter. */
async function parametersOf(client: Atelier, { given, context }: Invocation, familyId: string): Promise<Record<string, unknown>> {
  const entries = given.texts('parameter').map(entryOf)
  if (entries.length === 0) return {}
  const choice = { modelId: given.text('model'), axes: Object.fromEntries(given.pairs('axis')) }
  const family = entries.some(({ isJson }) => !isJson) ? await familyOf(client, familyId, context.interrupted) : undefined
  const valueOf = ({ name, text, isJson }: Entry) => (isJson || !family ? jsonOf(name, text) : typedParameter(family, choice, name, text))
  return Object.fromEntries(entries.map((entry) => [entry.name, valueOf(entry)]))
}

type Entry = { name: string; text: string; isJson: boolean }

function entryOf(given: string): Entry {
  const [, name = '', sign, text = ''] = /^([^=:]+)(:?=)([\s\S]*)$/.exec(given) ?? []
  if (name === '') throw new UsageError('-p takes name=value, or name:=json.')
  return { name, text, isJson: sign === ':=' }
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new UsageError(`-p ${name}:= takes JSON.`, { cause })
  }
}

async function familyOf(client: Atelier, familyId: string, signal: AbortSignal) {
  try {
    return await client.getFamily(familyId, { signal })
  } catch (error) {
    if (!(error instanceof AtelierError && error.code === 'insufficient_scope')) throw error
    throw new UsageError('The key may not read the catalog, so parameter types are unknown. Write name:=json, with text in "quotes".', {
      cause: error,
    })
  }
}
