import { afterAll, expect, test } from 'vitest'
import { pruneUsageLabels, usageByLabel } from '../../../src/domain/credits/usageByLabel.ts'
import { usageOf } from '../../../src/domain/credits/usageOf.ts'
import { purgeDeletedOwners } from '../../../src/domain/generations/retention/purgeDeletedOwners.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { pagesRead } from '../../support/database/pagesRead.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { issueOf } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1, durationSeconds: null }
type Words = { reference?: string; metadata?: Record<string, string> }

/** Starts a draft image, which costs 1 credit, at the given time. */
async function started({ context, spender }: TeamWithKey, at: string, words: Words): Promise<string> {
  await clock.set(at)
  const request = { familyId: 'sandbox-image', prompt: 'a boat', ...words }
  return (await startGeneration(context, spender, { request, idempotencyKey: undefined })).generation.generationId
}

async function ran(team: TeamWithKey, at: string, words: Words, to: 'ready' | 'failed' | 'cancelled' = 'ready'): Promise<void> {
  const id = await started(team, at, words)
  if (to === 'cancelled') return void (await endAtOnce(team.context, id, { to, charged: true }))
  const ending = to === 'ready' ? { to, result: image } : { to, failure: { code: 'timeout', reason: 'model_timeout' } as const }
  await endAtOnce(team.context, id, ending)
}

const span = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-04-01T00:00:00.000Z') }
const usage = ({ context, spender }: TeamWithKey, name?: string, during = span) => usageByLabel(context, spender, { ...during, name })

test('usage sums up ended and open generations by reference and by metadata, and all others in one line', async () => {
  const team = await aTeamWithKey(services)
  await ran(team, '2026-02-28T23:59:59.000Z', { reference: 'order', metadata: { project: 'harbour' } })
  await ran(team, '2026-03-01T00:00:00.000Z', { reference: 'order', metadata: { project: 'harbour', scene: '' } })
  await ran(team, '2026-03-09T12:00:00.000Z', { reference: 'order', metadata: { project: 'pier' } }, 'failed')
  await ran(team, '2026-03-09T12:00:00.000Z', { metadata: { project: 'harbour', ['__proto__']: 'x' } })
  await ran(team, '2026-03-09T13:00:00.000Z', {})
  await started(team, '2026-03-10T00:00:00.000Z', { metadata: { project: 'pier' } })
  await started(team, '2026-03-10T00:00:00.000Z', {})
  const none = { ready: 0, failed: 0, cancelled: 0, charged: 0, active: 0, held: 0, isOther: false }
  expect(await usage(team)).toEqual([
    { ...none, group: 'order', generations: 2, ready: 1, failed: 1, charged: 100 },
    { ...none, group: null, isOther: true, generations: 2, ready: 2, charged: 200, active: 2, held: 200 },
  ])
  expect(await usage(team, 'project')).toEqual([
    { ...none, group: 'harbour', generations: 2, ready: 2, charged: 200 },
    { ...none, group: 'pier', generations: 1, failed: 1, active: 1, held: 100 },
    { ...none, group: null, isOther: true, generations: 1, ready: 1, charged: 100, active: 1, held: 100 },
  ])
  expect((await usage(team, 'scene')).map(({ group }) => group)).toEqual(['', null])
  expect((await usage(team, '__proto__')).map(({ group }) => group)).toEqual(['x', null])
  expect(await usage(team, 'unknown')).toMatchObject([{ group: null, isOther: true, charged: 300 }])
  expect(await usage(await aTeamWithKey(services), 'project')).toEqual([])
})

test('generations of one day with the same reference add up, however they ended', async () => {
  const team = await aTeamWithKey(services)
  for (const to of ['ready', 'failed', 'cancelled'] as const)
    for (let count = 0; count < 2; count++) await ran(team, '2026-03-01T00:00:00.000Z', { reference: 'order' }, to)
  expect(await usage(team)).toMatchObject([{ group: 'order', generations: 6, ready: 2, failed: 2, cancelled: 2, charged: 400 }])
})

test('values that cost nothing are listed by their number of generations, before the others in one line', async () => {
  const team = await aTeamWithKey(services)
  for (const reference of ['a', 'b', 'b', undefined])
    await ran(team, '2026-03-01T00:00:00.000Z', reference === undefined ? {} : { reference }, 'failed')
  expect((await usage(team)).map(({ group, failed }) => [group, failed])).toEqual([
    ['b', 2],
    ['a', 1],
    [null, 1],
  ])
})

test('the 50 largest values have lines, by cost, and the lines add up to the usage', async () => {
  const team = await aTeamWithKey(services)
  await services.pool.query(
    `with labels as (
       insert into usage_labels (account_id, owner_id, name, day, value, ready, charged)
         select $1, $2, 'project', '2026-03-05'::date + n / 60, 'p' || n % 60, 1, 100 * (n % 60) from generate_series(0, 299) as n returning charged
     )
     insert into usage_days (account_id, owner_id, day, family_id, ready, charged) select $1, $2, '2026-03-05', 'kite', count(*), sum(charged) from labels`,
    [team.spender.accountId, team.spender.ownerId],
  )
  const lines = await usage(team, 'project')
  expect(lines).toHaveLength(51)
  expect(lines.slice(0, 3).map(({ group }) => group)).toEqual(['p59', 'p58', 'p57'])
  expect(lines.at(-1)).toMatchObject({ isOther: true, generations: 50, charged: 5 * 100 * 45 })
  const [whole] = await usageOf(team.context, team.spender, { ...span, by: 'family' })
  expect(lines.reduce((sum, { charged }) => sum + charged, 0)).toBe(whole?.charged)
})

test('of values that cost nothing, those with the most generations have lines, however they ended', async () => {
  const team = await aTeamWithKey(services)
  await services.pool.query(
    `insert into usage_labels (account_id, owner_id, name, day, value, failed, cancelled)
       select $1, $2, '', '2026-03-05', 'p' || n, case n when 50 then 2 else 0 end, case n when 50 then 0 else 1 end from generate_series(0, 50) as n`,
    [team.spender.accountId, team.spender.ownerId],
  )
  expect((await usage(team))[0]).toMatchObject({ group: 'p50', generations: 2 })
})

test('a day keeps a bounded number of values of a name; further ones count in the line for all others', async () => {
  const team = await aTeamWithKey(services)
  await ran(team, '2026-03-05T00:00:00.000Z', { reference: 'known' })
  await services.pool.query(
    `insert into usage_labels (account_id, owner_id, name, day, value) select $1, $2, '', '2026-03-05', 'r' || n from generate_series(1, 999) as n`,
    [team.spender.accountId, team.spender.ownerId],
  )
  await ran(team, '2026-03-05T00:00:00.000Z', { reference: 'late', metadata: { project: 'harbour' } })
  await ran(team, '2026-03-05T00:00:00.000Z', { reference: 'known' })
  await ran(team, '2026-03-06T00:00:00.000Z', { reference: 'late' })
  const lines = await usage(team)
  expect(lines.slice(0, 2)).toMatchObject([
    { group: 'known', charged: 200 },
    { group: 'late', charged: 100 },
  ])
  expect(lines.at(-1)).toMatchObject({ isOther: true, charged: 100 })
  expect(await usage(team, 'project')).toMatchObject([{ group: 'harbour', charged: 100 }, { isOther: true }])
})

test('a day keeps a bounded number of names, counted when they are new on that day; further ones count in the line for all others', async () => {
  const team = await aTeamWithKey(services)
  const names = (from: number, value = 'x') => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${from + index}`, value]))
  const counted = async ({ team: { id } } = team) => {
    const { rows } = await services.pool.query<{ day: string; names: number; charged: number }>(
      `select day::text, count(distinct name)::integer as names, sum(charged)::integer as charged from usage_labels where owner_id = $1 and name <> ''
         group by day order by day`,
      [id],
    )
    return rows
  }
  for (const from of [0, 20, 40, 0, 60]) await ran(team, '2026-03-05T00:00:00.000Z', { reference: `r${from}`, metadata: names(from) })
  expect(await counted()).toEqual([{ day: '2026-03-05', names: 50, charged: 7000 }])
  expect(await usage(team, 'n0')).toMatchObject([
    { group: 'x', charged: 200 },
    { isOther: true, charged: 300 },
  ])
  expect(await usage(team, 'n60')).toMatchObject([{ group: null, isOther: true, charged: 500 }])
  expect(await usage(team)).toHaveLength(4)
  await ran(team, '2026-03-06T00:00:00.000Z', { metadata: names(60) })
  await ran(team, '2026-03-05T00:00:00.000Z', { metadata: names(80) })
  expect(await counted()).toMatchObject([{ names: 70 }, { names: 20 }])
  await ran(team, '2026-03-06T00:00:00.000Z', { metadata: names(100) })
  expect(await counted()).toMatchObject([{ names: 70 }, { names: 30 }])
  const other = await aTeamWithKey(services)
  for (const metadata of [names(0), names(0, 'y'), names(20), names(40)]) await ran(other, '2026-03-05T00:00:00.000Z', { metadata })
  expect(await counted(other)).toMatchObject([{ names: 50 }])
})

test('a name that was counted while the clock was ahead does not fill the days before it', async () => {
  const team = await aTeamWithKey(services)
  const metadata = (day: string) => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${day}-${index}`, 'x']))
  await ran(team, '2027-01-01T00:00:00.000Z', { metadata: { early: 'x' } })
  const counted = async () =>
    (await services.pool.query('select day::text, names from usage_label_names where owner_id = $1', [team.team.id])).rows
  for (const day of ['05', '06', '07']) {
    await ran(team, `2026-03-${day}T00:00:00.000Z`, { metadata: metadata(day) })
    expect(await counted()).toEqual([{ day: `2026-03-${day}`, names: 20 }])
  }
  expect(await usage(team, '07-19')).toMatchObject([{ group: 'x', charged: 100 }, { isOther: true }])
})

test('the usage reads its own rows alone, and no ended generation', async () => {
  const team = await aTeamWithKey(services)
  for (const day of ['05', '06', '07']) await ran(team, `2026-03-${day}T00:00:00.000Z`, { metadata: { project: 'harbour' } })
  const pages = await pagesRead(team.context, { table: 'usage_labels', planMode: 'force_generic_plan' }, async (inside) => {
    await usageByLabel(inside, team.spender, { ...span, name: 'project' })
  })
  expect(pages).toBeLessThanOrEqual(12)
  const read = await pagesRead(team.context, { table: 'generations', planMode: 'force_generic_plan' }, async (inside) => {
    await usageByLabel(inside, team.spender, { ...span, name: 'project' })
  })
  expect(read).toBeLessThanOrEqual(30)
})

test('a longer span is refused', async () => {
  const team = await aTeamWithKey(services)
  expect(await issueOf(usage(team, 'project', { ...span, to: new Date('2026-06-02T00:00:00.000Z') }))).toBe('to: too_big')
})

test('values are deleted after 400 days, after the days of the team, and with the team', async () => {
  const [plain, brief, gone] = [await aTeamWithKey(services), await aTeamWithKey(services), await aTeamWithKey(services)]
  for (const team of [plain, brief, gone]) {
    await ran(team, '2025-01-01T12:00:00.000Z', { reference: 'old' })
    await ran(team, '2026-03-01T12:00:00.000Z', { reference: 'recent' })
    await ran(team, '2026-03-20T12:00:00.000Z', { reference: 'new' })
  }
  await services.pool.query('insert into team_retention (team_id, history_days) values ($1, 10)', [brief.team.id])
  await services.pool.query('update teams set deleted_at = present() where id = $1', [gone.team.id])
  await clock.set('2026-03-21T12:00:00.000Z')
  expect(await pruneUsageLabels(plain.context)).toBe(4)
  expect(await purgeDeletedOwners(plain.context)).toBe(1)
  const kept = async ({ team }: TeamWithKey) =>
    (await services.pool.query<{ value: string }>('select value from usage_labels where owner_id = $1 order by day', [team.id])).rows.map(
      ({ value }) => value,
    )
  expect(await Promise.all([plain, brief, gone].map(kept))).toEqual([['recent', 'new'], ['new'], []])
})

test('labels are deleted with the history when the deployment keeps less of it', async () => {
  const team = await aTeamWithKey(services)
  await ran(team, '2026-03-01T12:00:00.000Z', { reference: 'old' })
  await ran(team, '2026-03-20T12:00:00.000Z', { reference: 'new' })
  await clock.set('2026-03-21T12:00:00.000Z')
  await pruneUsageLabels({ ...team.context, settings: { ...team.context.settings, historyRetentionDays: 10 } })
  const { rows } = await services.pool.query('select value from usage_labels where owner_id = $1', [team.team.id])
  expect(rows).toEqual([{ value: 'new' }])
})
