/** A place in the write-ahead log, as a number that grows: `16/B374D848` is what the server says. */
export function parseLsn(text: string): bigint {
  const [, high = '0', low = '0'] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export type LagMeter = {
  /** The primary had written so far at that moment, in milliseconds of one clock that never goes back. */
  written(place: bigint, atMs: number): void
  replayed(place: bigint): void
  /** How long ago the primary wrote the first thing known that the replica does not have; 0 when it has all that is known. */
  seconds(nowMs: number): number
}

const samplesMax = 1000

/** How far behind a replica is in time, by what was seen of the primary's log and of the replica's. */
export function makeLagMeter(): LagMeter {
  let samples: { place: bigint; atMs: number }[] = []
  let reached = 0n
  return {
    written(place, atMs) {
      if (place <= reached || place <= (samples.at(-1)?.place ?? 0n)) return
      samples.push({ place, atMs })
      // A replica that stays away is told by the oldest; what lies between matters no more.
      if (samples.length > samplesMax) samples = samples.filter((_, index) => index % 2 === 0)
    },
    replayed(place) {
      if (place > reached) reached = place
      samples = samples.filter((sample) => sample.place > reached)
    },
    seconds: (nowMs) => (samples[0] ? (nowMs - samples[0].atMs) / 1000 : 0),
  }
}
