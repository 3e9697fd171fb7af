export type TokenBuckets = {
  /** Takes up to `wanted` tokens from the key's bucket. `waitSeconds` until the next token is available, 0 while some are left. */
  take(key: string, wanted: number): { granted: number; waitSeconds: number }
}

type Bucket = { tokens: number; filledAt: number }

/** At this number of keys, full buckets are removed: a full bucket equals a new one. */
const keysMax = 10_000

/** Creates one token bucket per key: `burst` tokens at first, refilled by `perSecond`. Uses the monotonic clock of the process. */
export function makeTokenBuckets({ burst, perSecond }: { burst: number; perSecond: number }): TokenBuckets {
  const buckets = new Map<string, Bucket>()

  function filled(bucket: Bucket, now: number): Bucket {
    return { tokens: Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond), filledAt: now }
  }

  function removeFull(now: number): void {
    for (const [key, bucket] of buckets) if (filled(bucket, now).tokens >= burst) buckets.delete(key)
  }

  return {
    take(key, wanted) {
      const now = performance.now()
      if (buckets.size >= keysMax) removeFull(now)
      const bucket = filled(buckets.get(key) ?? { tokens: burst, filledAt: now }, now)
      const granted = Math.min(wanted, Math.floor(bucket.tokens))
      const tokens = bucket.tokens - granted
      buckets.set(key, { tokens, filledAt: now })
      return { granted, waitSeconds: tokens >= 1 ? 0 : (1 - tokens) / perSecond }
    },
  }
}
