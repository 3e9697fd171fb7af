import { checkFieldMap } from '../../connector/fieldMap.ts'
import { checkSettings } from '../../connector/settings.ts'
import type { Vendor } from '../../connector/vendor.ts'
import { makeFal } from './fal.ts'
import { falSettings } from './falSettings.ts'

/** fal's queue: submit, poll, and download the output URLs. Contract: docs/contract.md#providers. */
export const fal: Vendor = {
  id: 'fal',
  variables: {
    key: 'FAL_KEY',
    url: 'FAL_QUEUE_URL',
    defaultUrl: 'https://queue.fal.run',
    atOnce: 'FAL_AT_ONCE',
    perMinute: 'FAL_PER_MINUTE',
  },
  check: (model) => checkSettings(falSettings, model, (settings) => checkFieldMap(settings, model)),
  make: makeFal,
}
