import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads the `.dockerignore` of a source folder and returns a filter for file paths with slashes. An image build and `npm run release` use the
 * same files, so that neither includes files that an operator keeps beside the sources.
 */
export async function readBuildContext(folder: string): Promise<(path: string) => boolean> {
  const rules = (await readFile(join(folder, '.dockerignore'), 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ includes: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.includes ?? true
}

/** Docker's rules: `*` matches within one name, `**` across folders, and a matching folder includes its content. */
function patternOf(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => wildcards[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('')
  return new RegExp(`^${source}(?:/.*)?$`)
}

const wildcards: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' }
