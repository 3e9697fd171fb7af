import { checkFieldMap } from '../../connector/fieldMap.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { Vendor } from '../../connector/vendor.ts'
import { makeReplicate } from './replicate.ts'
import { replicateSettings } from './replicateSettings.ts'

/** Predictions of Replicate. Contract: docs/contract.md#providers. */
export const replicate: Vendor = {
  id: 'replicate',
  variables: {
    key: 'REPLICATE_API_TOKEN',
    url: 'REPLICATE_BASE_URL',
    defaultUrl: 'https://api.replicate.com/v1',
    atOnce: 'REPLICATE_AT_ONCE',
    perMinute: 'REPLICATE_PER_MINUTE',
  },
  check: (model) => checkSettings(replicateSettings, model, (settings) => checkFieldMap(settings, model)),
  make: makeReplicate,
}
