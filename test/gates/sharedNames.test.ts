import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrationsFolder } from '../../src/database/migrations/migrationFiles.ts'
import { previousMigrations } from '../support/rollout/previousRelease.ts'

/** Locks of functions that this release does not need: the old function alone writes what they protect. */
const unusedSince: string[] = ['lock lease_webhook_deliveries']

const kinds = { hashtext: 'lock', hashtextextended: 'lock', pg_notify: 'channel', add_job: 'task' }

/** The fixed names of advisory locks, notification channels and tasks in SQL functions, such as `lock atelier.partitions`. */
function sharedNames(sql: string): string[] {
  const names = sql.matchAll(/\b(hashtext|hashtextextended|pg_notify|add_job)\(\s*'([^']+)'/g)
  return [...names].map(([, call, name]) => `${kinds[call as keyof typeof kinds]} ${name}`)
}

function functionsBelow(folder: string): string {
  const names = readdirSync(join(folder, 'functions')).toSorted()
  return names.map((name) => readFileSync(join(folder, 'functions', name), 'utf8')).join('\n')
}

test('functions of this release and of the previous one use the same locks, channels and tasks, whatever the functions are called', () => {
  const previous = new Set(sharedNames(functionsBelow(previousMigrations)))
  const present = new Set(sharedNames(functionsBelow(migrationsFolder)))
  expect(previous.size).toBeGreaterThan(5)
  expect([...previous].filter((name) => !present.has(name))).toEqual(unusedSince)
})

test('names are read from calls in SQL', () => {
  expect(sharedNames(`perform pg_advisory_xact_lock(hashtext('a.b')), pg_notify('c', id); select graphile_worker.add_job('d', x)`)).toEqual(
    ['lock a.b', 'channel c', 'task d'],
  )
})
