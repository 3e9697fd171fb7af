import { checkFieldMap } from '../fieldMap.ts'
import { checkSettings } from '../settings.ts'
import type { Vendor } from '../vendor.ts'
import { checkElevenlabsModel, elevenlabsSettings } from './elevenlabsSettings.ts'
import { makeElevenlabs } from './makeElevenlabs.ts'

/** Speech, sound effects and music of ElevenLabs. Contract: section 10. */
export const elevenlabs: Vendor = {
  id: 'elevenlabs',
  check(model) {
    const { settings } = model.provider
    const problems = checkSettings(elevenlabsSettings, settings)
    if (problems.length > 0) return problems
    const parsed = elevenlabsSettings.parse(settings)
    return [...checkFieldMap(parsed, model), ...checkElevenlabsModel(parsed, model)]
  },
  make: makeElevenlabs,
}
