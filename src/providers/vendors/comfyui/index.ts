import type { Vendor } from '../../connector/vendor.ts'
import { makeComfyui } from './comfyui.ts'
import { checkComfyui } from './comfyuiSettings.ts'

/** Workflows on the operator's own ComfyUI. Contract: docs/contract.md#providers. */
export const comfyui: Vendor = {
  id: 'comfyui',
  variables: {
    key: 'COMFYUI_TOKEN',
    url: 'COMFYUI_URL',
    atOnce: 'COMFYUI_AT_ONCE',
    defaultAtOnce: 2,
    perMinute: 'COMFYUI_PER_MINUTE',
  },
  check: checkComfyui,
  make: makeComfyui,
}
