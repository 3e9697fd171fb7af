import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CatalogError, loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { catalogOf, draft, familyOf, inFolder, problemsOf } from './drafts.ts'

test('a valid family loads with everything that requests need', async () => {
  const catalog = await catalogOf({ 'deep/down/kite.json': draft() })

  const family = catalog.families.get('kite')
  expect(family?.tasks).toEqual(['text-to-image', 'image-to-image'])
  expect(family?.creditsFrom).toBe(100)
  expect(family?.available).toBe(true)
  expect(family?.requiresSubscription).toBe(false)
  expect(family?.expectedRunSeconds).toEqual({ typical: 1, slow: 2 })
  expect(family?.variants[0]?.inputs).toEqual({
    prompt: { required: true, maxLength: 100 },
    images: { min: 0, max: 0, field: 'imageIds', mimeTypes: [] },
    videos: { min: 0, max: 0, field: 'videoId', mimeTypes: [] },
    audios: { min: 0, max: 0, field: 'audioIds', mimeTypes: [] },
    models3d: { min: 0, max: 0, field: 'model3dIds', mimeTypes: [] },
  })
  expect(family?.variants[0]?.provider.settings).toEqual({ secretish: 1 })
  expect([...catalog.providerIds]).toEqual(['sandbox'])
})

test('a loaded family cannot be changed by a request, at any depth', async () => {
  const family = await familyOf(draft())

  expect(Object.isFrozen(family)).toBe(true)
  expect(Object.isFrozen(family.parameters.properties['size'])).toBe(true)
  expect(Object.isFrozen(family.variants[0]?.inputs.images)).toBe(true)
  expect(Object.isFrozen(family.variants[0]?.prices[0]?.when)).toBe(true)
})

test('the errors of all files are listed together, each with file, path and reason', async () => {
  const { variants } = draft()
  const files = {
    'a.json': draft({ id: 'Not An Id' }),
    'b.json': '{ "id": ',
    'c.json': draft({ id: 'other', variants: variants.map((variant) => ({ ...variant, deadlineSeconds: 1 })) }),
    'sound.json': draft(),
  }

  const error = await catalogOf(files).catch((caught: unknown) => caught)

  expect(error).toBeInstanceOf(CatalogError)
  const lines = (error as CatalogError).message.split('\n')
  expect(lines).toContainEqual('a.json: id: Takes lowercase letters and digits, separated by single dots or hyphens')
  expect(lines).toContainEqual(expect.stringMatching(/^b\.json: .*JSON/))
  expect(lines).toContain('c.json: variants[0].deadlineSeconds: ends before a slow run does')
  expect(lines).toContain('c.json: variants[2].deadlineSeconds: ends before a slow run does')
  expect(lines).toHaveLength(5)
})

test('family and variant identifiers are unique over all files', async () => {
  const problems = await problemsOf({ 'a.json': draft(), 'b.json': draft() })

  expect(problems).toEqual([
    { file: 'b.json', path: 'id', reason: 'defines the family kite, which a.json also defines' },
    { file: 'b.json', path: 'variants[0].modelId', reason: 'defines the variant kite.text.one, which a.json also defines' },
    { file: 'b.json', path: 'variants[1].modelId', reason: 'defines the variant kite.text.two, which a.json also defines' },
    { file: 'b.json', path: 'variants[2].modelId', reason: 'defines the variant kite.images.one, which a.json also defines' },
  ])
})

test('a folder that is missing, empty or a file is an error and not an empty catalog', async () => {
  await inFolder({ 'notes.txt': 'nothing here' }, async (folder) => {
    await expect(loadCatalog(folder)).rejects.toThrow('has no family file')
    await expect(loadCatalog(join(folder, 'nowhere'))).rejects.toThrow(/nowhere: cannot be read \(ENOENT/)
    await expect(loadCatalog(join(folder, 'notes.txt'))).rejects.toThrow('cannot be read')
  })
})

test('invalid UTF-8, a file that is too large and a path that is not a file are errors of that file only', async () => {
  const huge = `"${'x'.repeat(1024 * 1024)}"`

  expect(await problemsOf({ 'a.json': Buffer.from([0x22, 0xff, 0x22]) })).toMatchObject([
    { file: 'a.json', path: '', reason: expect.stringContaining('utf-8') },
  ])
  expect(await problemsOf({ 'a.json': huge })).toEqual([{ file: 'a.json', path: '', reason: 'is larger than 1048576 bytes' }])
  expect(await problemsOf({ 'a.json': '[]' })).toMatchObject([
    { file: 'a.json', path: '', reason: expect.stringContaining('expected object') },
  ])
  expect(await problemsOf({ 'a.json': '\uFEFF' + JSON.stringify(draft()) })).toEqual([])
})

test('mounted configuration with links into a hidden folder is read once', async () => {
  await inFolder({ '..2026/kite.json': draft() }, async (folder) => {
    await symlink('..2026', join(folder, '..data'))
    await symlink(join('..data', 'kite.json'), join(folder, 'kite.json'))

    expect([...(await loadCatalog(folder)).families.keys()]).toEqual(['kite'])
  })
})

test('folders that link to each other do not loop', async () => {
  await inFolder({ 'kites/kite.json': draft() }, async (folder) => {
    await symlink('..', join(folder, 'kites', 'loop'))
    await mkdir(join(folder, 'empty.json'))
    await writeFile(join(folder, '.hidden.json'), 'not read')

    expect([...(await loadCatalog(folder)).families.keys()]).toEqual(['kite'])
  })
})

test('the etag of the catalog changes exactly when a family does', async () => {
  const first = await catalogOf({ 'a.json': draft() })
  const same = await catalogOf({ 'elsewhere/b.json': draft() })
  const changed = await catalogOf({ 'a.json': draft({ description: 'Another.' }) })

  expect(same.etag).toBe(first.etag)
  expect(changed.etag).not.toBe(first.etag)
  expect(changed.families.get('kite')?.etag).not.toBe(first.families.get('kite')?.etag)
  expect(first.etag).toMatch(/^[\w-]{22}$/)
})

test('an unknown field is an error at any depth', async () => {
  const [first, ...rest] = draft().variants
  const unmatched = { ...draft(), colour: 1, variants: [{ ...first, inputs: { ...first?.inputs, smells: {} } }, ...rest] }

  const problems = await problemsOf({ 'a.json': unmatched })

  expect(problems.map(({ path, reason }) => `${path} ${reason}`).toSorted()).toEqual([
    ' Unrecognized key: "colour"',
    'variants[0].inputs Unrecognized key: "smells"',
  ])
})

test('any file content results in a catalog or in a list of errors', async () => {
  const places = fc.constantFrom(...pathsOf(draft()))
  const bent = fc.tuple(places, fc.jsonValue({ maxDepth: 2 })).map(([path, value]) => withValue(draft(), path, value))
  const files = fc.sample(bent, { numRuns: 300, seed: 20_261_120 }).map((file, index) => [`${index}.json`, file] as const)

  const problems = await problemsOf(Object.fromEntries(files))

  expect(problems.length).toBeGreaterThan(300)
  expect(problems.every(({ file, reason }) => file.endsWith('.json') && reason.length > 0)).toBe(true)
})

type Path = (string | number)[]

function pathsOf(value: unknown, here: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [here]
  const steps: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [here, ...steps.flatMap(([step, inner]) => pathsOf(inner, [...here, step]))]
}

function withValue(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(root)) return root.map((item, index) => (index === step ? withValue(item, rest, value) : item))
  const inner: Record<string, unknown> = { ...(root as object) }
  return { ...inner, [step]: withValue(inner[step], rest, value) }
}
