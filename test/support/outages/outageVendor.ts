import { pictureFor } from '../billing/pictureFor.ts'
import { bytesOf, json, startFakeServer } from '../vendors/fakeServer.ts'

/** A vendor with the images API of OpenAI, whose account can be closed. */
export type OutageVendor = {
  env: Record<string, string>
  close(): Promise<void>
  /** Sets whether the vendor accepts its key. */
  setOpen(isOpen: boolean): void
}

export async function startOutageVendor(): Promise<OutageVendor> {
  let isOpen = true
  const server = await startFakeServer(async (exchange) => {
    const body = (await bytesOf(exchange)).toString()
    if (!isOpen)
      return json(exchange, 401, { error: { message: 'The account was closed.', type: 'invalid_request_error', code: 'invalid_api_key' } })
    if (exchange.path === '/v1/models') return json(exchange, 200, { object: 'list', data: [{ id: 'billing', object: 'model' }] })
    const { prompt } = JSON.parse(body) as { prompt: string }
    const usage = { input_tokens: 50, output_tokens: 1_000, total_tokens: 1_050 }
    json(exchange, 200, { created: 1_700_000_000, data: [{ b64_json: pictureFor(prompt).toString('base64') }], usage })
  })
  return {
    env: { OPENAI_API_KEY: 'sk-outage', OPENAI_BASE_URL: `${server.url}/v1` },
    close: () => server.close(),
    setOpen: (open) => {
      isOpen = open
    },
  }
}
