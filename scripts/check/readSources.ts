import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from './importViolations.ts'

const root = join(import.meta.dirname, '../..')

/** Reads the TypeScript files below a folder of the project, without generated ones. */
export function readSources(folder: string): Sources {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.generated.'))
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}
