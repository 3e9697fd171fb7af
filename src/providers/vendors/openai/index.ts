import { checkFieldMap } from '../../connector/fieldMap.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { Vendor } from '../../connector/vendor.ts'
import { makeOpenai } from './openai.ts'
import { checkOpenaiModel, openaiSettings } from './openaiSettings.ts'

/** Images and speech of OpenAI, and of any compatible server. Contract: docs/contract.md#providers. */
export const openai: Vendor = {
  id: 'openai',
  variables: {
    key: 'OPENAI_API_KEY',
    url: 'OPENAI_BASE_URL',
    defaultUrl: 'https://api.openai.com/v1',
    atOnce: 'OPENAI_AT_ONCE',
    perMinute: 'OPENAI_PER_MINUTE',
  },
  check: (model) =>
    checkSettings(openaiSettings, model, (settings) => [...checkFieldMap(settings, model), ...checkOpenaiModel(settings, model)]),
  make: makeOpenai,
}
