import { google } from '../../../src/providers/vendors/google/index.ts'
import type { VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { googleErrors } from './googleErrors.ts'
import { googleKey, startGoogle } from './googleServer.ts'

export const googleUnderTest: VendorUnderTest = {
  vendor: google,
  key: googleKey,
  startFake: startGoogle,
  failures: Object.keys(googleErrors),
  requests: {
    video: { familyId: 'google-omni', prompt: 'a boat leaves the harbour', parameters: { durationSeconds: 3 }, inputs: ['image'] },
    image: { familyId: 'google-nano-banana', prompt: 'a boat at dusk', parameters: { imageSize: '2K' }, inputs: ['image'] },
  },
  answersWithResult: 'image',
  reportsCost: true,
}
