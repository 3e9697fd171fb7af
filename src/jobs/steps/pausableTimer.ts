/** After a pause, at least this much time remains: the end of an answer follows its stored bytes. */
const resumedMsMin = 20_000

export type PausableTimer = { pause(): void; resume(): void; clear(): void }

/** Calls `onTimeout` after `milliseconds`, unless paused or cleared then. Time that passes during a pause still counts. */
export function pausableTimer(milliseconds: number, onTimeout: () => void): PausableTimer {
  const endsAt = performance.now() + milliseconds
  let timer: NodeJS.Timeout | undefined = setTimeout(onTimeout, milliseconds)
  let isCleared = false
  const pause = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    pause,
    resume() {
      if (timer === undefined && !isCleared) timer = setTimeout(onTimeout, Math.max(resumedMsMin, endsAt - performance.now()))
    },
    clear() {
      isCleared = true
      pause()
    },
  }
}
