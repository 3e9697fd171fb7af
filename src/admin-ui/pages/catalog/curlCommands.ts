import { shellQuote } from '../../ui/display/shellQuote.ts'
import type { GenerationBody } from './generationBody.ts'

const key = '-H "Authorization: Bearer $ATELIER_KEY"'

/**
 * A shell command that starts the generation and prints its state up to a minute later. The key comes from the environment.
 * The request body is quoted completely.
 */
export function startAndWait(origin: string, body: GenerationBody): string {
  return [
    `curl -sS ${shellQuote(`${origin}/api/v1/generations?wait=60`)} \\`,
    `  ${key} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuote(indented(body))}`,
  ].join('\n')
}

/** JSON on several lines, for reading. */
function indented(body: GenerationBody): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')
}

/** A command that uploads a file and prints its identifier. */
export function upload(origin: string): string {
  return `curl -sS ${shellQuote(`${origin}/api/v1/files`)} \\\n  ${key} \\\n  -F file=@picture.png`
}
