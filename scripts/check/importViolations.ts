import { dirname, join } from 'node:path'
import { packagesByRoom } from './packagesByRoom.ts'

/** Texts of source files by path, such as `src/domain/context.ts`. */
export type Sources = ReadonlyMap<string, string>

type Import = { specifier: string; typesAlone: boolean }

const importPattern = /^(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

function importsOf(text: string): Import[] {
  return [...text.matchAll(importPattern)].map(([, type, named, bare, dynamic]) => ({
    specifier: named ?? bare ?? dynamic ?? '',
    typesAlone: type !== undefined,
  }))
}

/** Returns a line for each package import that the folder may not use, and for each import cycle, type imports included. */
export function importViolations(sources: Sources): string[] {
  return [...packageViolations(sources), ...findCycles(sources)]
}

function packageViolations(sources: Sources): string[] {
  const faults: string[] = []
  for (const [path, text] of sources) {
    const [, room = '', ...rest] = path.split('/')
    for (const { specifier, typesAlone } of importsOf(text)) {
      const name = packageOf(specifier)
      if (name === undefined) continue
      const use = packagesByRoom[room]?.[name]
      const isAllowed = use === 'anywhere' || (use === 'types' && typesAlone) || (Array.isArray(use) && use.includes(rest.join('/')))
      if (!isAllowed) faults.push(`${path}: may not use ${name}${use === 'types' ? ' but for its types' : ''}`)
    }
  }
  return faults
}

/** Returns the package of an import; `undefined` for own files and Node's modules. */
function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Returns the shortest path from a file back to itself, once for each cycle. */
function findCycles(sources: Sources): string[] {
  const needs = new Map(
    [...sources].map(([path, text]) => [
      path,
      importsOf(text)
        .map(({ specifier }) => ownPath(path, specifier))
        .filter((to) => sources.has(to)),
    ]),
  )
  const seen = new Set<string>()
  return [...sources.keys()].flatMap((start) => {
    if (seen.has(start)) return []
    const way = findCycle(needs, start)
    if (way === undefined) return []
    for (const path of way) seen.add(path)
    return [`a circle: ${[...way, start].join(' → ')}`]
  })
}

function ownPath(from: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(from), specifier) : ''
}

function findCycle(needs: ReadonlyMap<string, string[]>, start: string): string[] | undefined {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of needs.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}
