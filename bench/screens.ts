import { Readable } from 'node:stream'
import { createUser } from '../src/domain/access/people/users.ts'
import { setTeamMember } from '../src/domain/access/teams/memberships.ts'
import type { Context } from '../src/domain/context.ts'
import { statement } from '../src/domain/sql.ts'
import { makeTeam, openFixture } from './support/fixture.ts'
import { insideFixture } from './support/insideFixture.ts'
import { loadHistory, withSubscription } from './support/loadHistory.ts'
import { openVisitor, type Visit } from './support/openVisitor.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

/** A tenth belongs to the measured team. */
const size = { teams: 11, generations: 100_000, deliveries: 1000, files: 1000, auditEntries: 1000 }
const person = { email: 'visitor@example.com', name: 'Visitor', password: 'a password of the benchmarks' }
const visits = 5
/** Round trips of 150 ms and 1.6 Mbit/s. */
const slowLine = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }

/** Measures when the history of 10,000 generations shows its rows, in the browser of the tests. */
export async function benchScreens(postgresPrograms: string | undefined): Promise<Row[]> {
  const fixture = await openFixture(postgresPrograms === undefined ? {} : { postgresPrograms })
  try {
    const measured = await insideFixture(fixture, async (context) => {
      const user = await createUser(context, person)
      await setTeamMember(context, { teamId: fixture.teamId, userId: user.id, role: 'owner' })
      return {
        large: await withSubscription(context, fixture),
        average: await withSubscription(context, await makeTeam(context, 'average')),
      }
    })
    await loadHistory(fixture.databaseUrl, size, measured)
    await insideFixture(fixture, storeNewest)
    const service = await startCommand('serve', fixture.env)
    try {
      return await rowsOf(service.url, `/integrations/${fixture.teamId}/history`)
    } finally {
      await service.stop()
    }
  } finally {
    await fixture.close()
  }
}

async function rowsOf(origin: string, path: string): Promise<Row[]> {
  const visitor = await openVisitor({ origin, person })
  try {
    // The first visit also warms the service.
    await visitor.visits(path, { count: 1 })
    const cold = await visitor.visits(path, { count: visits })
    const warm = await visitor.visits(path, { count: visits, isWarm: true })
    const slow = await visitor.visits(path, { count: visits, line: slowLine })
    const name = 'history of 10,000, rows'
    return [
      secondsRow(`${name}, empty cache`, cold, '<= 1.0'),
      secondsRow(`${name}, full cache`, warm, '<= 0.4'),
      secondsRow(`${name}, empty cache, 150 ms and 1.6 Mbit/s`, slow, '<= 2.5'),
      { name: 'processor time of the page until then, empty cache', ours: medianOf(cold, 'taskSeconds'), unit: 's' },
      { name: 'processor time of the page until then, full cache', ours: medianOf(warm, 'taskSeconds'), unit: 's' },
      { name: 'bytes received until then, empty cache', ours: medianOf(cold, 'bytes') / 1000, unit: 'kB' },
      { name: 'requests until then, empty cache', ours: medianOf(cold, 'requests'), unit: 'requests' },
    ]
  } finally {
    await visitor.close()
  }
}

function secondsRow(name: string, taken: Visit[], aim: string): Row {
  return { name, ours: medianOf(taken, 'seconds'), unit: 's', aim }
}

function medianOf(taken: Visit[], figure: keyof Visit): number {
  return median(taken.map((visit) => visit[figure]))
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The files of the rows that are visible first. */
async function storeNewest({ sql, storage }: Context): Promise<void> {
  for (const { key } of await sql.all(newestResults, [])) await storage.put(key, Readable.from([Buffer.from(pixel, 'base64')]))
}

const newestResults = statement<{ key: string }>(
  'bench_newest_results',
  `select result->>'storageKey' as key from generations where result is not null order by id desc limit 600`,
)
