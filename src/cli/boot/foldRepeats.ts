/** Different entries that are watched at once; more are written without folding. */
const watchedMax = 1000

/**
 * Folds equal log entries: the first is written, and equal ones within `windowMs` become one entry at its end with their number. So a
 * dependency that is away for a minute fills no disk.
 */
export function foldRepeats(windowMs: number): (key: string, write: (repeated?: number) => void) => void {
  const watched = new Map<string, { repeated: number; write: (repeated: number) => void }>()
  return (key, write) => {
    const known = watched.get(key)
    if (known) {
      known.repeated += 1
      known.write = write
      return
    }
    write()
    if (watched.size >= watchedMax) return
    const entry = { repeated: 0, write }
    watched.set(key, entry)
    setTimeout(() => {
      watched.delete(key)
      if (entry.repeated > 0) entry.write(entry.repeated)
    }, windowMs).unref()
  }
}
