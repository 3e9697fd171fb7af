const quietMs = 30_000

/** Reloads the page if the service answers. A reloaded page waits half a minute, so that a missing file causes at most two reloads a minute. */
export async function reloadWhenServed(): Promise<void> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type === 'reload' && performance.now() < quietMs) return
  const response = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined)
  if (response?.ok) location.reload()
}
