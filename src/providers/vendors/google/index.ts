import type { Vendor } from '../../connector/vendor.ts'
import { makeGoogle } from './google.ts'
import { checkGoogle } from './googleSettings.ts'

/** Images of Gemini, and videos of Omni and Veo. Contract: docs/contract.md#providers. */
export const google: Vendor = {
  id: 'google',
  variables: {
    key: 'GEMINI_API_KEY',
    url: 'GOOGLE_BASE_URL',
    defaultUrl: 'https://generativelanguage.googleapis.com/v1beta',
    atOnce: 'GOOGLE_AT_ONCE',
    perMinute: 'GOOGLE_PER_MINUTE',
  },
  check: checkGoogle,
  make: makeGoogle,
}
