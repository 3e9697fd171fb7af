import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { FormatName } from '../../../src/media/mediaFormats.ts'
import { elevenlabs } from '../../../src/providers/vendors/elevenlabs/index.ts'
import type { Behaviour, FakeVendor, VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { sampleFile } from '../media/sampleFile.ts'
import { elevenlabsBusy, elevenlabsErrors } from './elevenlabsErrors.ts'
import { elevenlabsRequests, unfit } from './elevenlabsRequests.ts'
import { bytesOf, type Exchange, json, startFakeServer } from './fakeServer.ts'
import { busyNow, isAnswered, type ScriptedVendor, scriptedVendor } from './fakeVendor.ts'

const key = 'sk_fake_0123456789abcdef0123456789abcdef'
const voices = new Set(['EXAVITQu4vr4xnSDxMaL', 'JBFqnCBsd6RMkjVDRZzb'])

export const elevenlabsUnderTest: VendorUnderTest = {
  vendor: elevenlabs,
  key,
  startFake: startElevenlabs,
  failures: Object.keys(elevenlabsErrors),
  // It answers with the bytes of one audio when it is done.
  without: ['unknown_state', 'expired', 'hostile_address', 'several'],
  requests: { audio: { familyId: 'elevenlabs-speech', prompt: 'a boat at dusk', parameters: { voice: 'George' } } },
  answersWithResult: 'audio',
  reportsCost: true,
}

type Asked = { endpoint: keyof typeof elevenlabsRequests; voice: string | undefined; format: string }

async function startElevenlabs(): Promise<FakeVendor> {
  const server = await startFakeServer((exchange) => answer(fake, exchange))
  const fake = scriptedVendor(server)
  return fake
}

async function answer(fake: ScriptedVendor, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  const body = await bytesOf(exchange)
  if (request.headers['xi-api-key'] !== key) return refuse(exchange, 401, { status: 'invalid_api_key', message: 'Invalid API key' })
  if (path === '/v1/models') return json(exchange, 200, [{ model_id: 'eleven_v4', can_do_text_to_speech: true }])
  const [, , endpoint = '', voice] = path.split('/')
  if (request.method !== 'POST' || !Object.hasOwn(elevenlabsRequests, endpoint)) return json(exchange, 404, { detail: 'Not Found' })
  const format = new URL(request.url ?? '', fake.url).searchParams.get('output_format') ?? 'mp3_44100_128'
  await takeIn(fake, exchange, { endpoint: endpoint as Asked['endpoint'], voice, format, body: JSON.parse(body.toString()) })
}

async function takeIn(
  fake: ScriptedVendor,
  exchange: Exchange,
  { body, ...asked }: Asked & { body: Record<string, unknown> },
): Promise<void> {
  const { behaviour } = fake
  const busy = busyNow(fake)
  if (busy) return json(exchange, busy.status, { detail: elevenlabsBusy[busy.status] }, busy.headers)
  const error = behaviour.kind === 'fails' ? elevenlabsErrors[behaviour.failure] : wrongWith(asked, body)
  if (error) return refuse(exchange, error.status, error.detail)
  const take = () => void fake.accepted.push({ id: `work${fake.accepted.length + 1}`, body: { ...body, ...asked } })
  if (!isAnswered(fake, exchange, take)) return
  if (behaviour.kind === 'slow') await pause(behaviour.looks * 50)
  await answerSound(exchange, { behaviour, format: asked.format, credits: String(body['text'] ?? body['prompt']).length })
}

function wrongWith({ endpoint, voice, format }: Asked, body: object): { status: number; detail: unknown } | undefined {
  const { body: schema, formats } = elevenlabsRequests[endpoint]
  if (endpoint === 'text-to-speech' && !voices.has(voice ?? '')) return elevenlabsErrors['parameter_validation/parameter_rejected']
  const issues = [...(schema.safeParse(body).error?.issues ?? []), ...(formats.safeParse(format).error?.issues ?? [])]
  return issues.length === 0 ? undefined : { status: 422, detail: unfit(issues) }
}

async function answerSound(
  { response }: Exchange,
  { behaviour, format, credits }: { behaviour: Behaviour; format: string; credits: number },
) {
  const [name, type] = sounds[format.split('_')[0] ?? ''] ?? ['mp3', 'audio/mpeg']
  response.writeHead(200, { 'content-type': type, 'character-cost': String(credits), 'request-id': 'abc' })
  if (behaviour.kind === 'huge') return pipeline(Readable.from(hugeSound()), response)
  response.end(await sampleFile(behaviour.kind === 'wrong_media' ? 'png' : name))
}

const sounds: Record<string, [FormatName, string]> = { opus: ['ogg', 'audio/opus'], wav: ['wav', 'audio/wav'] }

/** Never held as a whole. */
function* hugeSound(): Generator<Buffer> {
  for (let megabytes = 0; megabytes <= 151; megabytes++) yield Buffer.alloc(1024 * 1024)
}

function refuse(exchange: Exchange, status: number, detail: unknown): void {
  json(exchange, status, { detail })
}
