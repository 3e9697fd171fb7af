import { shellQuote } from '../../ui/shellQuote.ts'
import type { GenerationBody } from './generationBody.ts'

const key = '-H "Authorization: Bearer $ATELIER_KEY"'

/**
 * Lines for a shell that start the generation, show the answer, and wait up to a minute for its end. The key comes from the environment;
 * whatever the request holds stays within its quotes.
 */
export function startAndWait(origin: string, body: GenerationBody): string {
  const generations = `${origin}/api/v1/generations`
  return [
    `started=$(curl -sS ${shellQuote(generations)} \\`,
    `  ${key} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuote(indented(body))})`,
    `printf '%s\\n' "$started"`,
    `id=$(printf '%s' "$started" | sed -n 's/^{"generationId":"\\([^"]*\\)".*/\\1/p')`,
    `[ -z "$id" ] || curl -sS ${shellQuote(`${generations}/`)}"$id"'?wait=60' ${key}`,
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
