import type { Example } from '../renderExamples.ts'
import { type ClientCall, clientCalls, exampleIds } from './clientCalls.ts'
import { type Notation, printList, printValue, python, typescript } from './printValue.ts'

type Json = Record<string, unknown>
type Content = { examples?: Record<string, { $ref?: string; value?: unknown }> }
type Operation = { operationId?: string; responses?: object; requestBody?: { content?: Record<string, Content> } }
type Document = { paths?: Record<string, Record<string, Operation>>; components?: { examples?: Record<string, { value?: unknown }> } }

/** One operation with its example: what every client sends. */
type Request = {
  method: string
  path: string
  id: string | undefined
  body: Json | undefined
  /** The success has a body. */
  hasAnswer: boolean
  call: ClientCall
}

/**
 * Writes each operation, by operationId, as curl, TypeScript, Python, and as a command line if there is a command. The values are from the
 * examples of the OpenAPI document, the methods from `clientCalls`. `publicUrl`: the address of the service without a trailing slash.
 */
export function codeSamples(document: unknown, publicUrl: string): Record<string, Example[]> {
  const { paths = {}, components } = document as Document
  const samples: Record<string, Example[]> = {}
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId = '', responses = {} } = operation
      const call = clientCalls[operationId]
      if (!call) continue
      const id = path.includes('{id}') ? exampleIds[path.split('/')[1] ?? ''] : undefined
      const body = call.file === undefined ? bodyOf(operation, components) : undefined
      samples[operationId] = samplesOf({ method: method.toUpperCase(), path, id, body, hasAnswer: !('204' in responses), call }, publicUrl)
    }
  }
  return samples
}

/** The first example of the JSON body; several operations can share one in `components`. */
function bodyOf({ requestBody }: Operation, components: Document['components']): Json | undefined {
  const [example] = Object.values(requestBody?.content?.['application/json']?.examples ?? {})
  const name = example?.$ref?.split('/').at(-1)
  return (name === undefined ? example?.value : components?.examples?.[name]?.value) as Json | undefined
}

function samplesOf(request: Request, publicUrl: string): Example[] {
  const { id = '', call } = request
  return [
    { language: 'sh', code: curlOf(request, publicUrl) },
    { language: 'ts', code: typescriptOf(request) },
    { language: 'python', code: pythonOf(request) },
    ...(call.command === undefined ? [] : [{ language: 'cli', code: `atelier-client ${call.command.replace('{id}', id)}` }]),
  ]
}

function curlOf({ method, path, id = '', body, call }: Request, publicUrl: string): string {
  const query = call.query ? `?${new URLSearchParams(Object.entries(call.query).map(([name, value]) => [name, String(value)]))}` : ''
  const hasContent = body !== undefined || call.file !== undefined
  const isDefault = method === (hasContent ? 'POST' : 'GET')
  const command = ['curl', ...(call.isStream ? ['-N'] : []), ...(isDefault ? [] : ['-X', method])].join(' ')
  const lines = [
    `${command} "${publicUrl}/api/v1${path.replace('{id}', id)}${query}"`,
    '-H "Authorization: Bearer $ATELIER_KEY"',
    ...(method === 'POST' && /^\/generations(?:\/batch)?$/.test(path) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`] : []),
    ...(call.file === undefined ? [] : [`-F "file=@${call.file}"`]),
  ]
  return lines.join(' \\\n  ')
}

function typescriptOf({ id, body, hasAnswer, call }: Request): string {
  const args = (indent: number) => {
    const rest = Object.fromEntries(Object.entries(body ?? call.query ?? {}).filter(([name]) => !call.positional?.includes(name)))
    return [
      ...(id === undefined ? [] : [id]),
      ...(call.file === undefined ? [] : [{ path: call.file }]),
      ...(call.positional ?? []).map((name) => body?.[name]),
      ...(Object.keys(rest).length === 0 ? [] : [rest]),
    ].map((value) => printValue(value, typescript, indent))
  }
  const written = printCall(`atelier.${call.method}(`, args, typescript)
  const use = call.isStream
    ? `for await (const generation of ${written}) {\n  console.log(generation.state)\n}`
    : hasAnswer
      ? `const answer = await ${written}\nconsole.log(answer)`
      : `await ${written}`
  return `import { Atelier } from '@atelier/client'\n\nconst atelier = new Atelier()\n\n${use}`
}

function pythonOf({ id, body, hasAnswer, call }: Request): string {
  const args = (indent: number) => [
    ...(id === undefined ? [] : [python.quote(id)]),
    ...(call.file === undefined ? [] : [python.quote(call.file)]),
    ...(call.pythonBody === undefined
      ? Object.entries(body ?? call.query ?? {}).map(
          ([name, value]) => `${snakeCase(name)}=${printValue(name === 'items' ? withSnakeCase(value) : value, python, indent)}`,
        )
      : [`${call.pythonBody}=${printValue(body, python, indent)}`]),
  ]
  const written = printCall(`atelier.${snakeCase(call.method)}(`, args, python)
  const use = call.isStream
    ? `for generation in ${written}:\n    print(generation.state)`
    : hasAnswer
      ? `answer = ${written}\nprint(answer)`
      : written
  return `from atelier_client import Atelier\n\natelier = Atelier()\n\n${use}`
}

/** In TypeScript, a single argument begins on the line of the call, also if it has several lines. */
function printCall(open: string, args: (indent: number) => string[], notation: Notation): string {
  const [only, ...more] = args(0)
  if (only !== undefined && more.length === 0 && notation === typescript) return `${open}${only})`
  return printList({ open, close: ')', notation, indent: 0 }, args)
}

/** The items of a batch have the argument names of a start in the Python client. */
function withSnakeCase(items: unknown): unknown {
  return (items as Json[]).map((item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [snakeCase(name), value])))
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
