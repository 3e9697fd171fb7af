/** Parses a log sequence number such as `16/B374D848`: a position in the write-ahead log. */
export function parseLsn(text: string): bigint {
  const [, high = '0', low = '0'] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export type LagMeter = {
  /** Records the position that the primary had written at `atMs`, in milliseconds of a monotonic clock. */
  written(place: bigint, atMs: number): void
  replayed(place: bigint): void
  /** The age of the oldest recorded position that the replica has not applied; 0 if it has applied all. */
  seconds(nowMs: number): number
}

const samplesMax = 1000

/** Estimates the time by which a replica lags, from positions of both logs. */
export function makeLagMeter(): LagMeter {
  let samples: { place: bigint; atMs: number }[] = []
  let reached = 0n
  return {
    written(place, atMs) {
      if (place <= reached || place <= (samples.at(-1)?.place ?? 0n)) return
      samples.push({ place, atMs })
      // For a replica that is away for long, the oldest sample decides, so every second one is enough.
      if (samples.length > samplesMax) samples = samples.filter((_, index) => index % 2 === 0)
    },
    replayed(place) {
      if (place > reached) reached = place
      samples = samples.filter((sample) => sample.place > reached)
    },
    seconds: (nowMs) => (samples[0] ? (nowMs - samples[0].atMs) / 1000 : 0),
  }
}
