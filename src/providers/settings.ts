import type { z } from 'zod'
import type { Json } from '../contract/json.ts'
import type { SettingsProblem } from './vendor.ts'

/** What `schema` says against the settings of a variant. */
export function checkSettings(schema: z.ZodType, settings: Readonly<Record<string, Json>>): SettingsProblem[] {
  const parsed = schema.safeParse(settings)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), reason: message }))
}

/** Settings made ready once for each variant: the catalog does not change while a process runs. */
export function settingsReader<Settings>(schema: z.ZodType<Settings>): (settings: Record<string, Json>) => Settings {
  const read = new WeakMap<object, Settings>()
  return (settings) => {
    const known = read.get(settings)
    if (known !== undefined) return known
    const parsed = schema.parse(settings)
    read.set(settings, parsed)
    return parsed
  }
}
