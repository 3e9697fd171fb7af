import { checkFieldMap } from '../fieldMap.ts'
import { checkSettings } from '../settings.ts'
import type { Vendor } from '../vendor.ts'
import { makeOpenai } from './makeOpenai.ts'
import { checkOpenaiModel, openaiSettings } from './openaiSettings.ts'

/** Images and speech of OpenAI, and of any server that speaks as it does. Contract: section 10. */
export const openai: Vendor = {
  id: 'openai',
  check(model) {
    const { settings } = model.provider
    const problems = checkSettings(openaiSettings, settings)
    if (problems.length > 0) return problems
    const parsed = openaiSettings.parse(settings)
    return [...checkFieldMap(parsed, model), ...checkOpenaiModel(parsed, model)]
  },
  make: makeOpenai,
}
