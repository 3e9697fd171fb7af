import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const module = 'src/database/queue/graphileInternals.ts'

function isAllowed(path: string): boolean {
  return path === module || /^migrations\/functions\/(jobs_\w+|queue_parked_starts)\.sql$/.test(path)
}

/** The files that name a private table of graphile-worker and may not; `files` are their texts by path. */
function violations(files: Record<string, string>): string[] {
  return Object.keys(files).filter((path) => files[path]?.includes('_private_') && !isAllowed(path))
}

function textsBelow(folder: string): Record<string, string> {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(sql|tsx?|js)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

test('only graphileInternals.ts and the functions jobs_… and queue_parked_starts name private tables of graphile-worker', () => {
  const files = { ...textsBelow('src'), ...textsBelow('migrations/functions') }
  expect(files[module]).toContain('_private_jobs')
  expect(violations(files)).toEqual([])
})

test('a statement or function that names a private table elsewhere is reported', () => {
  const sql = 'delete from graphile_worker._private_jobs'
  expect(
    violations({
      [module]: sql,
      'migrations/functions/jobs_take.sql': sql,
      'migrations/functions/queue_starts.sql': sql,
      'src/domain/queue.ts': sql,
      'src/jobs/runners/worker.ts': 'select from graphile_worker.jobs',
    }),
  ).toEqual(['migrations/functions/queue_starts.sql', 'src/domain/queue.ts'])
})
