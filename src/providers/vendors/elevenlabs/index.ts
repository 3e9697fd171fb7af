import { checkFieldMap } from '../../connector/fieldMap.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { Vendor } from '../../connector/vendor.ts'
import { makeElevenlabs } from './elevenlabs.ts'
import { checkElevenlabsModel, elevenlabsSettings } from './elevenlabsSettings.ts'

/** Speech, sound effects and music by ElevenLabs. Contract: docs/contract.md#providers. */
export const elevenlabs: Vendor = {
  id: 'elevenlabs',
  variables: {
    key: 'ELEVENLABS_API_KEY',
    url: 'ELEVENLABS_BASE_URL',
    defaultUrl: 'https://api.elevenlabs.io',
    atOnce: 'ELEVENLABS_AT_ONCE',
    perMinute: 'ELEVENLABS_PER_MINUTE',
  },
  check: (model) =>
    checkSettings(elevenlabsSettings, model, (settings) => [...checkFieldMap(settings, model), ...checkElevenlabsModel(settings, model)]),
  make: makeElevenlabs,
}
