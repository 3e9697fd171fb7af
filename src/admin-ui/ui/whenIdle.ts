/** A part loads at the latest after this time, also on a page that is never idle. */
const idleTimeoutMs = 1000

/** Loads when the browser has time, so that the rows of the page come first. Safari has no `requestIdleCallback`. */
export async function whenIdle<Module>(load: () => Promise<Module>): Promise<Module> {
  await new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: idleTimeoutMs })
    else setTimeout(resolve)
  })
  return await load()
}
