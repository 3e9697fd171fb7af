/** A step of a long command. `total` may be unknown, or an estimate that the end exceeds. */
export type ProgressOptions = { label: string; unit: string; total: number | undefined }

export type Progress = { add(count: number): void; end(): void }

/** Begins to show the progress of a step; steps follow each other. */
export type ShowProgress = (options: ProgressOptions) => Progress

/** Shows nothing. */
export const noProgress: ShowProgress = () => ({ add: () => undefined, end: () => undefined })

/** A step whose length may be unknown. Parts of known length show their progress. */
export type LongStep = { showProgress: ShowProgress; end(): void }

/** Begins to show a step. Call `end` when it is over. */
export type BeginStep = (label: string) => LongStep

/** A part of a step: how much of it is done, and when it began. */
export type Part = ProgressOptions & { done: number; startedAt: number }

/** Tracks the progress of the current part of a step. A display reads it at intervals. */
export function trackParts(nowMs = () => performance.now()): { present(): Part | undefined; showProgress: ShowProgress } {
  let present: Part | undefined
  return {
    present: () => present,
    showProgress(options) {
      const part = { ...options, done: 0, startedAt: nowMs() }
      present = part
      return {
        add: (count) => {
          part.done += count
        },
        end: () => {
          if (present === part) present = undefined
        },
      }
    },
  }
}
