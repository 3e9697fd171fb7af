import { shellQuote } from '../../ui/display/shellQuote.ts'
import type { GenerationBody } from './generationBody.ts'

const key = '-H "Authorization: Bearer $ATELIER_KEY"'

/**
 * A command for a shell that starts the generation and shows what it has become, up to a minute later. The key comes from the environment;
 * whatever the request holds stays within its quotes.
 */
export function startAndWait(origin: string, body: GenerationBody): string {
  return [
    `curl -sS ${shellQuote(`${origin}/api/v1/generations?wait=60`)} \\`,
    `  ${key} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuote(indented(body))}`,
  ].join('\n')
}

/** JSON over several lines, so that it can be read. */
function indented(body: GenerationBody): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')
}

/** A line that uploads a file and shows the identifier to paste. */
export function upload(origin: string): string {
  return `curl -sS ${shellQuote(`${origin}/api/v1/files`)} \\\n  ${key} \\\n  -F file=@picture.png`
}
