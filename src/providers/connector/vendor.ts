import type { Json } from '../../contract/json.ts'
import type { OutputType } from '../../contract/shapes/outputTypes.ts'
import type { OutputRules } from '../outputs/fetchOutput.ts'
import type { Provider } from '../provider.ts'

/** A variant of the catalog, as far as a connector looks at it before any work. `max` 0: it takes nothing of that medium. */
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

/** What keeps a model from being run as its file says; `path` starts from the settings, empty for all of them. */
export type SettingsProblem = { path: string; reason: string }

/** `url` without a slash at its end. */
export type VendorOptions = { url: string; key: string | undefined; outputs: OutputRules }

/** The environment variables of a vendor, by their names. `src/config` reads them. Contract: docs/contract.md#environment-variables. */
export type VendorVariables = {
  /** Sets the vendor up, unless there is no `defaultUrl`. */
  readonly key: string
  readonly url: string
  /** Absent: operators run the server of this vendor themselves. Then the address sets it up, and the key is optional. */
  readonly defaultUrl?: string
  readonly atOnce: string
  /** The limit where `atOnce` is not set. Absent: no limit. */
  readonly defaultAtOnce?: number
  readonly perMinute: string
}

/** The description of a vendor: all that the rest of the service knows about it. */
export type Vendor = {
  /** As families name it. */
  readonly id: string
  readonly variables: VendorVariables
  /** Looks at `provider.settings` of a variant, at the start; whether the vendor is set up or not. */
  check(model: DeclaredModel): SettingsProblem[]
  make(options: VendorOptions): Provider
}
