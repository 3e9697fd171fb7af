import type { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import type { DeclaredModel, SettingsProblem } from './vendor.ts'

/** Validates the settings of a variant by `schema`, then by `check`. */
export function checkSettings<Settings>(
  schema: z.ZodType<Settings>,
  { provider }: Pick<DeclaredModel, 'provider'>,
  check: (settings: Settings) => SettingsProblem[],
): SettingsProblem[] {
  const parsed = schema.safeParse(provider.settings)
  return parsed.success ? check(parsed.data) : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), reason: message }))
}

/** Parses settings once for each variant, since the catalog does not change while a process runs. */
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
