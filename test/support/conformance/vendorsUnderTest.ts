import { comfyuiUnderTest } from '../vendors/comfyui.ts'
import { elevenlabsUnderTest } from '../vendors/elevenlabs.ts'
import { falUnderTest } from '../vendors/fal.ts'
import { googleUnderTest } from '../vendors/google.ts'
import { lanternUnderTest } from '../vendors/lantern.ts'
import { openaiUnderTest } from '../vendors/openai.ts'
import { replicateUnderTest } from '../vendors/replicate.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

/** Every vendor that passes the suite. A new connector adds its line. */
export const vendorsUnderTest: readonly VendorUnderTest[] = [
  lanternUnderTest,
  openaiUnderTest,
  falUnderTest,
  replicateUnderTest,
  comfyuiUnderTest,
  googleUnderTest,
  elevenlabsUnderTest,
]
