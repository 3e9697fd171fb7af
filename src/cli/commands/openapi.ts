import { readConfig } from '../../config/readConfig.ts'
import { vendors } from '../../providers/vendors.ts'
import { endpoints } from '../../rest/endpoints.ts'
import { describe } from '../../rest/openapi.ts'
import { listenersOf, publicUrlOf } from '../boot/listeners.ts'
import { version } from '../version.ts'

/** Prints the OpenAPI document. */
export async function openapi(): Promise<number> {
  const config = readConfig(process.env, { command: 'openapi', vendors })
  const publicUrl = publicUrlOf(config, await listenersOf(config))
  const document = describe(
    endpoints(() => undefined),
    { publicUrl, version },
  )
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return 0
}
