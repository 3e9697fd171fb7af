/** A step of a long command. `total` may be unknown, or an estimate that the end exceeds. */
export type ProgressOptions = { label: string; unit: string; total: number | undefined }

export type Progress = { add(count: number): void; end(): void }

/** Begins to show the progress of a step; steps follow each other. */
export type ShowProgress = (options: ProgressOptions) => Progress

/** Shows nothing. */
export const noProgress: ShowProgress = () => ({ add: () => undefined, end: () => undefined })
