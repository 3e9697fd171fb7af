import { checkFieldMap } from '../../src/providers/connector/fieldMap.ts'
import { checkSettings } from '../../src/providers/connector/settings.ts'
import type { Vendor } from '../../src/providers/connector/vendor.ts'
import { makeLantern } from './lantern.ts'
import { settings } from './lanternSettings.ts'

/** A vendor that does not exist: the worked example of docs/providers.md. */
export const lantern: Vendor = {
  id: 'lantern',
  variables: {
    key: 'LANTERN_API_KEY',
    url: 'LANTERN_BASE_URL',
    defaultUrl: 'https://api.lantern.example/v1',
    atOnce: 'LANTERN_AT_ONCE',
    perMinute: 'LANTERN_PER_MINUTE',
  },
  check: (model) => checkSettings(settings, model, (own) => checkFieldMap(own, model)),
  make: makeLantern,
}
