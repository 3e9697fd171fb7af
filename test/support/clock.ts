/** A clock that stands until it is told otherwise. */
export type TestClock = { now(): Date; set(moment: Date | string): void; advance(milliseconds: number): void }

export function testClock(start: Date | string = '2026-03-10T12:00:00.000Z'): TestClock {
  let now = new Date(start).getTime()
  return {
    now: () => new Date(now),
    set: (moment) => {
      now = new Date(moment).getTime()
    },
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}
