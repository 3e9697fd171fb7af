import type { Cpu } from './cpu.ts'

/** A row of the table: the measured value, the value of the minimal program beside it, processor time per unit, and the aim. */
export type Row = { name: string; ours: number; unit: string; cpu?: Cpu; limit?: { name: string; value: number }; aim?: string }

/** Prints rows as a table with their ratios. */
export function printTable(rows: Row[]): void {
  const lines = rows.map(({ name, ours, unit, cpu, limit, aim }) => [
    name,
    `${rounded(ours)} ${unit}`,
    limit ? `${rounded(limit.value)} ${unit}` : '',
    limit ? (ours / limit.value).toFixed(2) : '',
    cpu ? `${rounded(cpu.serverMicros)} µs` : '',
    cpu ? `${rounded(cpu.databaseMicros)} µs` : '',
    cpu?.loadMicros === undefined ? '' : `${rounded(cpu.loadMicros)} µs`,
    aim ?? '',
    limit?.name ?? '',
  ])
  printColumns([['row', 'ours', 'compared', 'ratio', 'server CPU', 'PostgreSQL CPU', 'load CPU', 'aim', 'compared with'], ...lines])
}

/** Prints lines of cells in aligned columns. */
export function printColumns(all: string[][]): void {
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? []
  for (const line of all)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}

export function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

/** Returns the median of several measurements. */
export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
