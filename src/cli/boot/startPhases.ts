import type { Config } from '../../config/readConfig.ts'
import type { BeginStep } from '../../database/progress.ts'

/** A step of the start of a process. `describe` returns what it did, for an operator. */
export type Phase<Result> = { name: string; run(): Promise<Result>; describe(result: Result): string }

export type StartPhases = {
  run<Result>(phase: Phase<Result>): Promise<Result>
  /** Shows the steps of a long phase, where they are printed on a terminal. */
  beginStep?: BeginStep | undefined
  /** The start is over: log entries are written again. */
  end(): void
}

/** Runs the steps and prints nothing: the log has the start. */
export const silentPhases: StartPhases = { run: ({ run }) => run(), end: () => undefined }

type PhasesOptions = { log: { level: string }; write(text: string): unknown; title: string; beginStep?: BeginStep | undefined }

/** Prints one line for each step of a start, with its time. Until `end`, the log writes only warnings and errors. */
export function printedPhases({ log, write, title, beginStep }: PhasesOptions): StartPhases {
  const level = log.level
  log.level = 'warn'
  write(`${title}\n`)
  return {
    beginStep,
    async run({ name, run, describe }) {
      const startedAt = performance.now()
      const result = await run()
      write(`  ${name.padEnd(nameWidth)}${describe(result).padEnd(detailWidth)} ${secondsSince(startedAt).padStart(6)} s\n`)
      return result
    },
    end() {
      log.level = level
    },
  }
}

/** Whether a start prints its steps instead of log entries: the log is lines of text at the level `info`. */
export function printsPhases({ logLevel }: Pick<Config, 'logLevel'>, isPretty: boolean): boolean {
  return isPretty && logLevel === 'info'
}

const nameWidth = 10
const detailWidth = 46

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1)
}
