import { ConfigError } from './configError.ts'
import { type VariableName, type VariableValues, variables } from './variables.ts'

/** Where a vendor is reached, without a slash at its end, and with which key. */
export type VendorConfig = { readonly url: string; readonly key: string }

/** The vendors that are set up. Contract: docs/contract.md#providers. */
export type VendorsConfig = {
  readonly openai: VendorConfig | undefined
  readonly fal: VendorConfig | undefined
  readonly replicate: VendorConfig | undefined
  readonly comfyui: { readonly url: string; readonly key: string | undefined } | undefined
  readonly google: VendorConfig | undefined
  readonly elevenlabs: VendorConfig | undefined
}

/** Which vendors the variables set up: those whose key is there, and ComfyUI, which needs none, by its address. */
export function vendorsOf(values: VariableValues): VendorsConfig {
  if (values.COMFYUI_TOKEN !== undefined && values.COMFYUI_URL === undefined) {
    throw new ConfigError(`COMFYUI_URL is not set, and COMFYUI_TOKEN is: it takes ${variables.COMFYUI_URL.takes}`)
  }
  return Object.freeze({
    openai: vendor(values, 'OPENAI_API_KEY', 'OPENAI_BASE_URL'),
    fal: vendor(values, 'FAL_KEY', 'FAL_QUEUE_URL'),
    replicate: vendor(values, 'REPLICATE_API_TOKEN', 'REPLICATE_BASE_URL'),
    comfyui: values.COMFYUI_URL === undefined ? undefined : { url: values.COMFYUI_URL, key: values.COMFYUI_TOKEN },
    google: vendor(values, 'GEMINI_API_KEY', 'GOOGLE_BASE_URL'),
    elevenlabs: vendor(values, 'ELEVENLABS_API_KEY', 'ELEVENLABS_BASE_URL'),
  })
}

/** How much may be at a vendor at once, and how often it may be asked in a minute; absent means no limit. */
export type VendorLoad = { readonly atOnce: number | undefined; readonly perMinute: number | undefined }

/** What the variables limit, for each vendor, whether it is set up or not. */
export function vendorLoadsOf(values: VariableValues): Readonly<Record<keyof VendorsConfig, VendorLoad>> {
  return Object.freeze({
    openai: { atOnce: values.OPENAI_AT_ONCE, perMinute: values.OPENAI_PER_MINUTE },
    fal: { atOnce: values.FAL_AT_ONCE, perMinute: values.FAL_PER_MINUTE },
    replicate: { atOnce: values.REPLICATE_AT_ONCE, perMinute: values.REPLICATE_PER_MINUTE },
    comfyui: { atOnce: values.COMFYUI_AT_ONCE, perMinute: values.COMFYUI_PER_MINUTE },
    google: { atOnce: values.GOOGLE_AT_ONCE, perMinute: values.GOOGLE_PER_MINUTE },
    elevenlabs: { atOnce: values.ELEVENLABS_AT_ONCE, perMinute: values.ELEVENLABS_PER_MINUTE },
  })
}

type KeyName = Extract<VariableName, `${string}_KEY` | `${string}_TOKEN`>
type UrlName = Extract<VariableName, `${string}_BASE_URL` | 'FAL_QUEUE_URL'>

function vendor(values: VariableValues, keyName: KeyName, urlName: UrlName): VendorConfig | undefined {
  const key = values[keyName]
  return typeof key === 'string' ? { key, url: values[urlName] } : undefined
}
