import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { buildFamily } from './buildFamily.ts'
import { checkFallbacks } from './checkFallbacks.ts'
import { checkFamily, type Problem } from './checkFamily.ts'
import { checkFamilyParameters } from './checkFamilyParameters.ts'
import { checkFamilyPrices } from './checkFamilyPrices.ts'
import { makeSchemaCompiler, type SchemaCompiler } from './compileParameters.ts'
import { type Connectors, checkConnectors } from './connectors.ts'
import { type Family, familyFile } from './family.ts'
import { pricesInCredits, type Rates } from './pricesInCredits.ts'

/** All loaded families by id, sorted by id. Immutable: each load returns a new object. */
export type Catalog = {
  readonly families: ReadonlyMap<string, Family>
  /** Providers that are not configured. Families that use one of them are not loaded. */
  readonly absentProviderIds: ReadonlySet<string>
  /** The providers of all variants of the loaded families. */
  readonly providerIds: ReadonlySet<string>
  /** A hash of all loaded families, without the quotes of an HTTP ETag. */
  readonly etag: string
}

export type CatalogProblem = Problem & { file: string }

/** All errors in all files, one line each: `file: path: reason`. */
export class CatalogError extends Error {
  readonly problems: readonly CatalogProblem[]

  constructor(problems: readonly CatalogProblem[]) {
    super(problems.map(({ file, path, reason }) => [file, path, reason].filter(Boolean).join(': ')).join('\n'))
    this.name = 'CatalogError'
    this.problems = problems
  }
}

const fileBytesMax = 1024 * 1024

export type CatalogOptions = { rates?: Rates; connectors?: Connectors }

const defaultRates: Rates = { creditsPerUsd: 100, markup: 1 }

/**
 * Reads all `*.json` files in `folder` and its subfolders, checks them and compiles their schemas. Skips names that begin with a dot.
 * Checks every family, but loads a family only if all providers of its variants are configured.
 * Rejects with {@link CatalogError}, which lists the errors of all files. A folder without a family is an error too.
 * Contract: docs/contract.md#providers.
 */
export async function loadCatalog(folder: string, { rates = defaultRates, connectors = new Map() }: CatalogOptions = {}): Promise<Catalog> {
  const compiler = makeSchemaCompiler()
  const problems: CatalogProblem[] = []
  const found: { file: string; family: Family }[] = []
  for (const file of await listFiles(folder)) {
    const family = await readFamily(join(folder, file), { compiler, rates, connectors })
    if (Array.isArray(family)) problems.push(...family.map((problem) => ({ file, ...problem })))
    else found.push({ file, family })
  }
  problems.push(...duplicateNames(found))
  if (problems.length === 0 && found.length === 0) problems.push({ file: folder, path: '', reason: 'has no family file' })
  if (problems.length > 0) throw new CatalogError(problems)
  const all = found.map(({ family }) => family).toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const isAbsent = (providerId: string) => connectors.get(providerId)?.isSetUp === false
  const families = all.filter((family) => !providerIdsOf(family).some(isAbsent))
  return Object.freeze({
    families: new Map(families.map((family) => [family.id, family])),
    absentProviderIds: new Set(all.flatMap(providerIdsOf).filter(isAbsent)),
    providerIds: new Set(families.flatMap(providerIdsOf)),
    etag: createHash('sha256')
      .update(families.map(({ etag }) => etag).join())
      .digest('base64url')
      .slice(0, 22),
  })
}

/** Lists file paths relative to `folder`, in the same order on every machine. Visits each folder once, even if links form a loop. */
async function listFiles(folder: string): Promise<string[]> {
  const visited = new Set<string>()
  async function visit(relative: string): Promise<string[]> {
    const path = join(folder, relative)
    const real = await realpath(path)
    if (visited.has(real)) return []
    visited.add(real)
    const files: string[] = []
    for (const name of (await readdir(path)).toSorted()) {
      if (name.startsWith('.')) continue
      const child = join(relative, name)
      const kind = await stat(join(folder, child))
      if (kind.isDirectory()) files.push(...(await visit(child)))
      else if (name.endsWith('.json')) files.push(child)
    }
    return files
  }
  try {
    return await visit('')
  } catch (error) {
    throw new CatalogError([{ file: folder, path: '', reason: `cannot be read (${reasonOf(error)})` }])
  }
}

function providerIdsOf({ variants }: Family): string[] {
  return variants.map(({ provider }) => provider.id)
}

type ReadOptions = { compiler: SchemaCompiler; rates: Rates; connectors: Connectors }

async function readFamily(path: string, { compiler, rates, connectors }: ReadOptions): Promise<Family | Problem[]> {
  let json: unknown
  try {
    json = await readJson(path)
  } catch (error) {
    return [{ path: '', reason: reasonOf(error) }]
  }
  const parsed = familyFile.safeParse(json)
  if (!parsed.success) return parsed.error.issues.map(problemOf)
  const file = pricesInCredits(parsed.data, rates)
  if (Array.isArray(file)) return file
  const checkProblems = [...checkFamily(file), ...checkFallbacks(file), ...checkFamilyParameters(file, compiler)]
  if (checkProblems.length > 0) return checkProblems
  const priceProblems = checkFamilyPrices(file, compiler)
  if (priceProblems.length > 0) return priceProblems
  const family = buildFamily(file, compiler)
  if (Array.isArray(family)) return family
  const connectorProblems = checkConnectors(family, connectors)
  return connectorProblems.length > 0 ? connectorProblems : family
}

async function readJson(path: string): Promise<unknown> {
  const kind = await stat(path)
  if (!kind.isFile()) throw new Error('is not a file')
  if (kind.size > fileBytesMax) throw new Error(`is larger than ${fileBytesMax} bytes`)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)))
}

function problemOf(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.reduce<string>(
    (prefix, step) => (typeof step === 'number' ? `${prefix}[${step}]` : `${prefix}${prefix ? '.' : ''}${String(step)}`),
    '',
  )
  return { path, reason: issue.message }
}

/** Reports family ids and model ids that several files define. Clients select by these ids, so they must be unique in the catalog. */
function duplicateNames(found: readonly { file: string; family: Family }[]): CatalogProblem[] {
  const definedIn = new Map<string, string>()
  const names = found.flatMap(({ file, family }) => [
    { file, path: 'id', name: `the family ${family.id}` },
    ...family.variants.map(({ modelId }, index) => ({ file, path: `variants[${index}].modelId`, name: `the variant ${modelId}` })),
  ])
  return names.flatMap(({ file, path, name }) => {
    const firstFile = definedIn.get(name)
    definedIn.set(name, firstFile ?? file)
    return firstFile === undefined ? [] : [{ file, path, reason: `defines ${name}, which ${firstFile} also defines` }]
  })
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
