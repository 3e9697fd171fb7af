import type { GenerationRequest } from '../openapi.ts'
import type { Uploaded } from './inputs.ts'
import type { ParsedArguments } from './parsedArguments.ts'
import { quoteShellWords } from './quoteShellWords.ts'

const secret = new Set(['key', 'key-file', 'idempotency-key'])
const media = new Set(['image', 'video', 'audio', 'model3d'])

type Start = { request: GenerationRequest; uploaded: Uploaded; idempotencyKey: string }

/**
 * The command that continues a start with a lost answer: the same arguments, with identifiers of uploads instead of paths, because a new
 * upload would change the request, and with a prompt from standard input. It never contains the API key.
 */
export function repeatCommand(given: ParsedArguments, { request, uploaded, idempotencyKey }: Start): string {
  const options = given.tokens.flatMap(({ option, value }) => {
    if (option === undefined || secret.has(option)) return []
    if (value === undefined) return [`--${option}`]
    return [`--${option}=${media.has(option) ? (uploaded.get(value) ?? value) : value}`]
  })
  const prompt = request.prompt === undefined ? [] : [request.prompt]
  return quoteShellWords(['atelier-client', 'run', ...options, `--idempotency-key=${idempotencyKey}`, '--', request.familyId, ...prompt])
}

/** The commands to continue with a generation: one waits for it and saves its result, one cancels it. */
export function laterCommands(given: ParsedArguments, generationId: string): { wait: string; cancel: string } {
  const [url, output] = [given.text('url'), given.text('output')]
  const where = url === undefined ? [] : ['--url', url]
  return {
    wait: quoteShellWords(['atelier-client', 'wait', generationId, ...(output === undefined ? [] : ['-o', output]), ...where]),
    cancel: quoteShellWords(['atelier-client', 'cancel', generationId, ...where]),
  }
}
