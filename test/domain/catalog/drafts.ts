import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import type { Family, familyFile, Variant } from '../../../src/domain/catalog/family.ts'
import {
  type Catalog,
  CatalogError,
  type CatalogOptions,
  type CatalogProblem,
  loadCatalog,
} from '../../../src/domain/catalog/loadCatalog.ts'

/** A family file before defaults are filled in. Tests modify it. */
export type Draft = z.input<typeof familyFile>
export type VariantDraft = Draft['variants'][number]

const run = { expectedRunSeconds: { typical: 1, slow: 2 }, deadlineSeconds: 60, provider: { id: 'sandbox', settings: { secretish: 1 } } }

export function variantDraft(modelId: string, changes: Partial<VariantDraft> = {}): VariantDraft {
  return {
    modelId,
    label: modelId,
    tasks: ['text-to-image'],
    axes: { version: 'one' },
    inputs: { prompt: { required: true, maxLength: 100 } },
    parameterNames: ['size', 'seed'],
    prices: [{ unit: 'generation', credits: 1 }],
    ...run,
    ...changes,
  }
}

/** A valid family: one axis with two values, text input for both, image input for the first. */
export function draft(changes: Partial<Draft> = {}): Draft {
  return {
    id: 'kite',
    name: 'Kite',
    vendor: 'Tests',
    description: 'A family for tests.',
    outputType: 'image',
    updatedAt: '2026-01-01T00:00:00.000Z',
    axes: [{ name: 'version', label: 'Version', values: ['one', 'two'], default: 'one' }],
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        prompt: { type: 'string', maxLength: 100, description: 'At most 100 characters.' },
        size: { type: 'integer', minimum: 1, maximum: 10, default: 2 },
        seed: { type: 'integer', minimum: 0 },
      },
    },
    variants: [
      variantDraft('kite.text.one'),
      variantDraft('kite.text.two', { axes: { version: 'two' } }),
      variantDraft('kite.images.one', {
        tasks: ['image-to-image'],
        inputs: { prompt: { required: false, maxLength: 100 }, images: { min: 1, max: 2, field: 'imageIds', mimeTypes: ['image/png'] } },
      }),
    ],
    ...changes,
  }
}

/** The valid family with changes to its first variant. */
export function withFirst(changes: Partial<VariantDraft>): Draft {
  const [variant, ...rest] = draft().variants
  return draft({ variants: [{ ...variant, ...changes } as VariantDraft, ...rest] })
}

/** The valid family with one more variant. */
export function withMore(changes: Partial<VariantDraft>): Draft {
  return draft({ variants: [...draft().variants, variantDraft('kite.more', changes)] })
}

/** The valid family with other parameters, all used by its first variant. */
export function withParameters(
  properties: Draft['parameters']['properties'],
  changes: Partial<VariantDraft> = {},
  required?: string[],
): Draft {
  const all = { ...draft().parameters.properties, ...properties }
  const parameterNames = Object.keys(all).filter((name) => name !== 'prompt')
  const changed = withFirst({ parameterNames, ...changes })
  return { ...changed, parameters: { ...changed.parameters, properties: all, ...(required ? { required } : {}) } }
}

/** Writes the files (texts unchanged, other values as JSON) into a temporary folder for `use`. */
export async function inFolder<Result>(files: Record<string, unknown>, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
    }
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function catalogOf(files: Record<string, unknown>, options?: CatalogOptions): Promise<Catalog> {
  return inFolder(files, (folder) => loadCatalog(folder, options))
}

/** The family that the draft builds. */
export async function familyOf(file: Draft): Promise<Family> {
  const [family] = (await catalogOf({ 'family.json': file })).families.values()
  if (!family) throw new Error('no family')
  return family
}

export function variantOf(family: Family, modelId: string): Variant {
  const variant = family.variants.find((each) => each.modelId === modelId)
  if (!variant) throw new Error(`no variant ${modelId}`)
  return variant
}

/** The problems of the files; empty when they load. */
export async function problemsOf(files: Record<string, unknown>): Promise<readonly CatalogProblem[]> {
  try {
    await catalogOf(files)
    return []
  } catch (error) {
    if (error instanceof CatalogError) return error.problems
    throw error
  }
}
