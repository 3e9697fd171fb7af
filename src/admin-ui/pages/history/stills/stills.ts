/** Draws a small picture of a file, as a `data:` URL. Rejects when none can be drawn, and early when `signal` is aborted. */
export type DrawStill = (signal: AbortSignal) => Promise<string>

export type StillRequest = { id: string; draw: DrawStill; onDrawn(url: string): void; onFailed(error: unknown): void }

/** The number of pictures drawn at a time, so that a screen of large files leaves the browser responsive. */
const concurrencyMax = 2
/** The width in pixels. */
export const stillWidth = 320
const timeoutMs = 20_000
const drawnMax = 300

/** In memory alone: after a sign-out no picture stays on the machine. The oldest one is dropped first. */
const drawn = new Map<string, string>()
const waiting: Job[] = []
let running = 0

type Job = StillRequest & { cancelled: AbortController }

/** The still of a result that was drawn before. */
export function drawnStill(id: string): string | undefined {
  return drawn.get(id)
}

/** Draws a still in turn, and keeps it. Returns a function that withdraws the request. */
export function requestStill(request: StillRequest): () => void {
  const job = { ...request, cancelled: new AbortController() }
  waiting.push(job)
  startWaiting()
  return () => job.cancelled.abort()
}

function startWaiting(): void {
  while (running < concurrencyMax) {
    const job = waiting.shift()
    if (!job) return
    if (job.cancelled.signal.aborted) continue
    running += 1
    void run(job).finally(() => {
      running -= 1
      startWaiting()
    })
  }
}

/** Ends when nothing of the job is under way any more, or its time is over: a row that left the window may still be decoded. */
async function run({ id, draw, onDrawn, onFailed, cancelled }: Job): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([cancelled.signal, late])
  const known = drawn.get(id)
  const drawing = known === undefined ? draw(signal) : Promise.resolve(known)
  try {
    const url = await Promise.race([drawing, rejectOnAbort(signal)])
    keep(id, url)
    if (!cancelled.signal.aborted) onDrawn(url)
  } catch (error) {
    if (!cancelled.signal.aborted) onFailed(error)
    await Promise.race([drawing, rejectOnAbort(late)]).catch(() => undefined)
  }
}

/** Browsers cannot end a started decoding. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function keep(id: string, url: string): void {
  drawn.set(id, url)
  const [oldest] = drawn.keys()
  if (drawn.size > drawnMax && oldest !== undefined) drawn.delete(oldest)
}
