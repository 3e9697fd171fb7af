import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads the `.dockerignore` of a source folder and returns a filter of its files, by their path with slashes. An image build and
 * `npm run release` take the same files, so that what an operator keeps beside the sources reaches neither.
 */
export async function readBuildContext(folder: string): Promise<(path: string) => boolean> {
  const rules = (await readFile(join(folder, '.dockerignore'), 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ includes: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.includes ?? true
}

/** As Docker reads it: `*` stays within one name, `**` spans folders, and a folder that matches takes its content along. */
function patternOf(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => wildcards[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('')
  return new RegExp(`^${source}(?:/.*)?$`)
}

const wildcards: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' }
