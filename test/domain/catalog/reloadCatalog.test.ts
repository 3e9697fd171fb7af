import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { reloadCatalog } from '../../../src/domain/catalog/reloadCatalog.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { aServiceContext } from '../../support/factories.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'
import { refused } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const catalogFolder = await mkdtemp(join(memoryFolder(), 'atelier-catalog-'))
await cp(join(import.meta.dirname, '../../../catalog/sandbox'), catalogFolder, { recursive: true })
const here = await testServices({ catalogFolder })
const there = await testServices({ catalogFolder, databaseUrl: here.databaseUrl })
afterAll(async () => {
  await there.close()
  await here.close()
  await rm(catalogFolder, { recursive: true })
})

const audioFile = join(catalogFolder, 'sandbox-audio.json')
const original = await readFile(audioFile, 'utf8')
const nameIn = ({ services }: typeof here) => services.catalog.families.get('sandbox-audio')?.name

async function rename(name: string): Promise<void> {
  await writeFile(audioFile, JSON.stringify({ ...JSON.parse(original), name }))
}

test('a reload applies changed files at once in its process and soon in every other; a request keeps its catalog', async () => {
  const running = contextFor(here.services, { kind: 'service' })
  const before = running.catalog
  await rename('First')
  await reloadCatalog(aServiceContext(here.services))
  expect(nameIn(here)).toBe('First')
  await vi.waitFor(() => expect(nameIn(there)).toBe('First'), { timeout: 3000, interval: 5 })
  expect(running.catalog).toBe(before)
  const { rows } = await here.services.pool.query("select after from audit_entries where action = 'catalog.reloaded'")
  expect(rows).toEqual([{ after: { families: here.services.catalog.families.size, etag: here.services.catalog.etag } }])
})

test('a faulty file is refused with its error, and no process changes', async () => {
  await rename('Second')
  await reloadCatalog(aServiceContext(here.services))
  await vi.waitFor(() => expect(nameIn(there)).toBe('Second'), { timeout: 3000, interval: 5 })
  await writeFile(audioFile, '{')
  const refusal = await refused(reloadCatalog(aServiceContext(here.services)))
  expect(refusal).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: ['sandbox-audio.json'], code: 'bad_format' }] } })
  expect(nameIn(here)).toBe('Second')
})

test('a process whose files are faulty keeps its catalog and logs the error', async () => {
  await writeFile(audioFile, '{')
  await here.services.pool.query("select pg_notify('catalog', 'files')")
  const logged = () => there.logged.filter(({ level, message }) => level === 'error' && message.startsWith('the catalog could not'))
  await vi.waitFor(() => expect(logged()).toHaveLength(1), { timeout: 3000, interval: 5 })
  expect(there.services.catalog.families.has('sandbox-audio')).toBe(true)
})
