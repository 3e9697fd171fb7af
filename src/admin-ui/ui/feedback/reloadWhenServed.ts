const quietMs = 30_000

/** Reloads the page if the service answers. A reloaded page waits half a minute, so that a missing file causes at most two reloads a minute. */
export async function reloadWhenServed(): Promise<void> {
  const [visit] = performance.getEntriesByType('navigation')
  const wasReloaded = visit instanceof PerformanceNavigationTiming && visit.type === 'reload'
  if (wasReloaded && performance.now() < quietMs) return
  const isServed = await fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isServed) location.reload()
}
