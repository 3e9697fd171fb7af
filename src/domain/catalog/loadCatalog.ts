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

/** Families by id, sorted by id. Immutable; a changed catalog is a new object. */
export type Catalog = {
  readonly families: ReadonlyMap<string, Family>
  /** Providers that are not configured. Their families are absent. */
  readonly absentProviderIds: ReadonlySet<string>
  /** The providers of all variants. The start compares them with the available ones. */
  readonly providerIds: ReadonlySet<string>
  /** Changes with any family. Without quotes. */
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
 * Reads all `*.json` in `folder` and its subfolders, checks them and compiles their schemas. Names that begin with a dot are skipped. A
 * family is checked in any case, and loaded when all providers of its variants are configured.
 * Rejects with {@link CatalogError}, which lists all errors of all files, also when the folder has no family.
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
  problems.push(...repeatedNames(found))
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

/** Paths of the files relative to `folder`, in the same order on every machine. Linked folders are followed once. */
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
    (sofar, step) => (typeof step === 'number' ? `${sofar}[${step}]` : `${sofar}${sofar ? '.' : ''}${String(step)}`),
    '',
  )
  return { path, reason: issue.message }
}

/** Clients see identifiers of all files in one namespace, so they must be unique. */
function repeatedNames(found: readonly { file: string; family: Family }[]): CatalogProblem[] {
  const owners = new Map<string, string>()
  const names = found.flatMap(({ file, family }) => [
    { file, path: 'id', name: `the family ${family.id}` },
    ...family.variants.map(({ modelId }, index) => ({ file, path: `variants[${index}].modelId`, name: `the variant ${modelId}` })),
  ])
  return names.flatMap(({ file, path, name }) => {
    const owner = owners.get(name)
    owners.set(name, owner ?? file)
    return owner === undefined ? [] : [{ file, path, reason: `defines ${name}, which ${owner} also defines` }]
  })
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
