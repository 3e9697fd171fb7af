import type { Vendor } from './connector/vendor.ts'
import { comfyui } from './vendors/comfyui/index.ts'
import { elevenlabs } from './vendors/elevenlabs/index.ts'
import { fal } from './vendors/fal/index.ts'
import { google } from './vendors/google/index.ts'
import { openai } from './vendors/openai/index.ts'
import { replicate } from './vendors/replicate/index.ts'

/** All vendors that Atelier ships, one folder each. No other file of `src` lists them. */
export const vendors: readonly Vendor[] = [openai, fal, replicate, comfyui, google, elevenlabs]
