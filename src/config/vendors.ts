import { ConfigError } from './configError.ts'
import { type VariableName, type VariableValues, variables } from './variables.ts'

/** Where a vendor is reached, without a slash at its end, and with which key. */
export type VendorConfig = { readonly url: string; readonly key: string }

/** The vendors that are set up. Contract: section 10. */
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

type KeyName = Extract<VariableName, `${string}_KEY` | `${string}_TOKEN`>
type UrlName = Extract<VariableName, `${string}_BASE_URL` | 'FAL_QUEUE_URL'>

function vendor(values: VariableValues, keyName: KeyName, urlName: UrlName): VendorConfig | undefined {
  const key = values[keyName]
  return typeof key === 'string' ? { key, url: values[urlName] } : undefined
}
