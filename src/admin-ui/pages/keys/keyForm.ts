import type { Failure } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { expiryExample, expiryText, readExpiry } from './expiryText.ts'

/** The fields as typed. Named as in the API, so that refusals can be shown at their field. */
export type KeyFields = {
  name: string
  dailyLimitCredits: string
  monthlyLimitCredits: string
  singleLimitCredits: string
  confirmAboveCredits: string
  expiresAt: string
}
export type FieldErrors = Readonly<Record<string, string | undefined>>

export type KeySettings = {
  name: string
  dailyLimitCredits: number | null
  monthlyLimitCredits: number | null
  singleLimitCredits: number | null
  confirmAboveCredits: number | null
  /** ISO 8601. */
  expiresAt: string | null
}

export const emptyFields: KeyFields = {
  name: '',
  dailyLimitCredits: '',
  monthlyLimitCredits: '',
  singleLimitCredits: '',
  confirmAboveCredits: '',
  expiresAt: '',
}

export function fieldsOf({ name, expiresAt, ...ceilings }: KeySettings): KeyFields {
  return {
    name,
    dailyLimitCredits: creditsText(ceilings.dailyLimitCredits),
    monthlyLimitCredits: creditsText(ceilings.monthlyLimitCredits),
    singleLimitCredits: creditsText(ceilings.singleLimitCredits),
    confirmAboveCredits: creditsText(ceilings.confirmAboveCredits),
    expiresAt: expiresAt === null ? '' : expiryText(new Date(expiresAt)),
  }
}

const creditsText = (credits: number | null) => (credits === null ? '' : String(credits))

/** Parses the fields. `errors` has the fields that cannot be parsed; the server checks the rest. */
export function readKeyFields(fields: KeyFields, now: Date): { settings: KeySettings; errors: FieldErrors } {
  const name = fields.name.trim()
  const daily = readCredits(fields.dailyLimitCredits)
  const monthly = readCredits(fields.monthlyLimitCredits)
  const single = readCredits(fields.singleLimitCredits)
  const confirmAbove = readCredits(fields.confirmAboveCredits)
  const expiry = readExpiry(fields.expiresAt, now)
  const errors = {
    name: name === '' ? 'Enter a name, so that you can find the key in lists.' : undefined,
    dailyLimitCredits: daily === undefined ? invalidCredits : undefined,
    monthlyLimitCredits: monthly === undefined ? invalidCredits : undefined,
    singleLimitCredits: single === undefined ? invalidCredits : undefined,
    confirmAboveCredits: confirmAbove === undefined ? invalidCredits : undefined,
    expiresAt: expiry === undefined ? invalidTime() : expiry && expiry <= now ? expiryInPast : undefined,
  }
  const settings = {
    name,
    dailyLimitCredits: daily ?? null,
    monthlyLimitCredits: monthly ?? null,
    singleLimitCredits: single ?? null,
    confirmAboveCredits: confirmAbove ?? null,
    expiresAt: expiry?.toISOString() ?? null,
  }
  return { settings, errors }
}

const names = [...Object.keys(emptyFields), 'scopes']

/** Splits a refusal into errors of form fields and the remaining failure. */
export function splitRefusal(failure: Failure | undefined): { errors: FieldErrors; failure: Failure | undefined } {
  const errors = Object.fromEntries(Object.entries(issuesByField(failure)).filter(([name]) => names.includes(name)))
  return { errors, failure: hasErrors(errors) ? undefined : failure }
}

export function hasErrors(errors: FieldErrors): boolean {
  return Object.values(errors).some((error) => error !== undefined)
}

/** Returns only the changed settings, so that concurrent changes of others are kept. */
export function changesOf(before: KeyFields, after: KeyFields, settings: KeySettings): Partial<KeySettings> {
  const names = (Object.keys(before) as (keyof KeyFields)[]).filter((name) => before[name].trim() !== after[name].trim())
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}

const invalidCredits = 'Enter credits with at most two decimals, like 250 or 12.50.'
const invalidTime = () => `Enter a time like ${expiryExample()}, or a period like 30 days.`
const expiryInPast = 'This time is in the past.'

/** `null` for an empty field, `undefined` for an invalid amount. Reads `1,000.50` and `12,5` as people mean them. */
export function readCredits(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (/^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(trimmed)) return Number(trimmed.replaceAll(',', ''))
  return /^\d+([.,]\d{1,2})?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined
}
