import pg from 'pg'

/** A controlled clock, also for the databases that it was added to. */
export type TestClock = {
  now(): Date
  set(moment: Date | string): Promise<void>
  advance(milliseconds: number): Promise<void>
  /** Makes this database use the clock. */
  giveTo(databaseUrl: string): Promise<void>
}

export function testClock(start: Date | string = '2026-03-10T12:00:00.000Z'): TestClock {
  let now = new Date(start).getTime()
  const databases = new Set<string>()
  const set = async (moment: number) => {
    now = moment
    for (const url of databases) await stopDatabaseClock(url, new Date(now))
  }
  return {
    now: () => new Date(now),
    set: (moment) => set(new Date(moment).getTime()),
    advance: (milliseconds) => set(now + milliseconds),
    giveTo: async (url) => {
      databases.add(url)
      await stopDatabaseClock(url, new Date(now))
    },
  }
}

/** Our SQL uses `present()` for the time; prepared statements with it are planned again. */
async function stopDatabaseClock(url: string, moment: Date): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`create or replace function present() returns timestamptz language sql stable parallel safe as $$
      select '${moment.toISOString()}'::timestamptz $$`)
  } finally {
    await client.end()
  }
}
