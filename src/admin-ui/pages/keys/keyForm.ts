import type { Failure } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { expiryText, readExpiry } from './expiryText.ts'

/** What stands in the fields, as it was typed. Named as the server names them, so that what it refuses finds its field. */
export type KeyFields = {
  name: string
  dailyLimitCredits: string
  singleLimitCredits: string
  confirmAboveCredits: string
  expiresAt: string
}
export type FieldErrors = Readonly<Record<string, string | undefined>>

export type KeySettings = {
  name: string
  dailyLimitCredits: number | null
  singleLimitCredits: number | null
  confirmAboveCredits: number | null
  /** ISO 8601. */
  expiresAt: string | null
}

export const emptyFields: KeyFields = { name: '', dailyLimitCredits: '', singleLimitCredits: '', confirmAboveCredits: '', expiresAt: '' }

export function fieldsOf({ name, dailyLimitCredits, singleLimitCredits, confirmAboveCredits, expiresAt }: KeySettings): KeyFields {
  return {
    name,
    dailyLimitCredits: creditsText(dailyLimitCredits),
    singleLimitCredits: creditsText(singleLimitCredits),
    confirmAboveCredits: creditsText(confirmAboveCredits),
    expiresAt: expiresAt === null ? '' : expiryText(new Date(expiresAt)),
  }
}

const creditsText = (credits: number | null) => (credits === null ? '' : String(credits))

/** Reads the fields; `errors` where one cannot be read. What the server alone can judge is left to it. */
export function readKeyFields(fields: KeyFields, now: Date): { settings: KeySettings; errors: FieldErrors } {
  const name = fields.name.trim()
  const daily = readCredits(fields.dailyLimitCredits)
  const single = readCredits(fields.singleLimitCredits)
  const confirmAbove = readCredits(fields.confirmAboveCredits)
  const expiry = readExpiry(fields.expiresAt, now)
  const errors = {
    name: name === '' ? 'Give it a name, so that you can tell it from others.' : undefined,
    dailyLimitCredits: daily === undefined ? notCredits : undefined,
    singleLimitCredits: single === undefined ? notCredits : undefined,
    confirmAboveCredits: confirmAbove === undefined ? notCredits : undefined,
    expiresAt: expiry === undefined ? notAMoment : expiry && expiry <= now ? expiryInPast : undefined,
  }
  const settings = {
    name,
    dailyLimitCredits: daily ?? null,
    singleLimitCredits: single ?? null,
    confirmAboveCredits: confirmAbove ?? null,
    expiresAt: expiry?.toISOString() ?? null,
  }
  return { settings, errors }
}

const names = [...Object.keys(emptyFields), 'scopes']

/** Sorts a refusal: what is about a field of the form, and what remains to be said of the whole. */
export function splitRefusal(failure: Failure | undefined): { errors: FieldErrors; failure: Failure | undefined } {
  const errors = Object.fromEntries(Object.entries(issuesByField(failure)).filter(([name]) => names.includes(name)))
  return { errors, failure: hasErrors(errors) ? undefined : failure }
}

export function hasErrors(errors: FieldErrors): boolean {
  return Object.values(errors).some((error) => error !== undefined)
}

/** What was changed, and nothing else: what a colleague changes meanwhile stays as they want it. */
export function changesOf(before: KeyFields, after: KeyFields, settings: KeySettings): Partial<KeySettings> {
  const names = (Object.keys(before) as (keyof KeyFields)[]).filter((name) => before[name].trim() !== after[name].trim())
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}

const notCredits = 'Takes credits with two decimals at most, like 250 or 12.50.'
const notAMoment = 'Write a time like 2027-01-31 18:00, or how long: 30 days.'
const expiryInPast = 'That is over already.'

/** `null` for an empty field, `undefined` for what is no amount. `1,000.50` and `12,5` are read as people mean them. */
export function readCredits(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (/^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(trimmed)) return Number(trimmed.replaceAll(',', ''))
  return /^\d+([.,]\d{1,2})?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined
}
