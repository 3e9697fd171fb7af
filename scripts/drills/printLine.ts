/** Prints a line with the seconds since the start of this process. */
export function printLine(line: string): void {
  process.stdout.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`)
}
