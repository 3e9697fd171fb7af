import { useCallback, useState } from 'react'
import type { FieldIssues } from '../catalog/fieldIssues.ts'

/** The fields with inputs that they do not take, as the inputs report it once their types are known. */
export function useWrongInputs() {
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({})
  /** Returns what ends the report. */
  const report = useCallback((field: string) => {
    const add = (count: number) => setCounts((now) => ({ ...now, [field]: (now[field] ?? 0) + count }))
    add(1)
    return () => add(-1)
  }, [])
  const wrong = Object.keys(counts).filter((field) => counts[field] !== 0)
  const issues: FieldIssues = Object.fromEntries(wrong.map((field) => [field, 'Remove what this field does not take.']))
  return { issues, report }
}
