import type { Json } from '../../contract/json.ts'
import type { OutputType } from '../../contract/shapes/outputTypes.ts'
import type { OutputRules } from '../outputs/fetchOutput.ts'
import type { Provider } from '../provider.ts'

/** The parts of a catalog variant that a connector validates. `max` 0: the variant takes no such inputs. */
export type DeclaredModel = {
  readonly modelId: string
  readonly outputType: OutputType
  readonly tasks: readonly string[]
  readonly axes: Readonly<Record<string, string>>
  readonly parameterNames: readonly string[]
  readonly inputs: { readonly prompt: { readonly required: boolean; readonly maxLength: number | null } } & Readonly<
    Record<'images' | 'videos' | 'audios' | 'models3d', { readonly min: number; readonly max: number }>
  >
  readonly provider: { readonly settings: Readonly<Record<string, Json>> }
}

/** A reason why a model cannot run with its settings. `path` is relative to the settings; empty for all of them. */
export type SettingsProblem = { path: string; reason: string }

/** `url`: without a trailing slash. */
export type VendorOptions = { url: string; key: string | undefined; outputs: OutputRules }

/** The names of a vendor's environment variables. `src/config` reads them. Contract: docs/contract.md#environment-variables. */
export type VendorVariables = {
  /** Enables the vendor, if it has a `defaultUrl`. */
  readonly key: string
  readonly url: string
  /** Absent: operators run this vendor's server themselves. Then the URL enables the vendor, and the key is optional. */
  readonly defaultUrl?: string
  readonly atOnce: string
  /** The limit where `atOnce` is not set. Absent: no limit. */
  readonly defaultAtOnce?: number
  readonly perMinute: string
}

/** The description of a vendor. The rest of the service uses a vendor only through it. */
export type Vendor = {
  /** The name in catalog files. */
  readonly id: string
  readonly variables: VendorVariables
  /** Validates `provider.settings` of a variant at the start, also for a vendor that is not enabled. */
  check(model: DeclaredModel): SettingsProblem[]
  make(options: VendorOptions): Provider
}
