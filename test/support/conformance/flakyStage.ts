import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { vendors } from '../../../src/providers/vendors.ts'
import type { FaultStage } from '../vendor/faultStage.ts'
import { type WorkerPlaces, workerEnvironment } from '../vendor/workerProcesses.ts'
import { catalogFolderOf } from './catalogFolderOf.ts'
import { vendorsUnderTest } from './vendorsUnderTest.ts'
import type { FakeVendor, VendorRequestSample, VendorUnderTest } from './vendorUnderTest.ts'

export type FlakyStage = FaultStage & {
  /** Numbers of cut and uncut connections. */
  connections: { cut: number; left: number }
  /** Accepted work by vendor. */
  accepted(): Record<string, number>
}

/** This share of the vendor connections is cut, within the time of most answers. */
const share = 0.2
const withinMs = 15

/**
 * The fakes of all vendors, with connections that break before the vendor has received a request, while it
 * works on it, and while it answers: submits, polls and downloads.
 */
export async function flakyStage(places: WorkerPlaces, random: () => number): Promise<FlakyStage> {
  const shipped = vendorsUnderTest.filter(({ vendor }) => vendors.includes(vendor))
  const playing = await Promise.all(
    shipped.map(async (underTest) => ({ underTest, samples: await wordsAlone(underTest), fake: await underTest.startFake() })),
  )
  const ports = new Set(playing.map(({ fake }) => Number(new URL(fake.url).port)))
  const connections = { cut: 0, left: 0 }
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (!ports.has(socket.localPort ?? 0)) return
    const isCut = random() < share
    connections[isCut ? 'cut' : 'left']++
    if (isCut) setTimeout(() => socket.destroy(), random() * withinMs)
  }
  subscribe('net.server.socket', onSocket)
  return {
    env: { ...workerEnvironment(places), ...Object.assign({}, ...playing.map(environmentOf)) },
    request: (n) => requestTo(playing[n % playing.length] as Playing, n, Math.floor(n / playing.length)),
    submittedTwice: () => playing.reduce((sum, { fake }) => sum + repeatsAt(fake), 0),
    connections,
    accepted: () => Object.fromEntries(playing.map(({ underTest, fake }) => [underTest.vendor.id, fake.accepted.length])),
    async close() {
      unsubscribe('net.server.socket', onSocket)
      await Promise.all(playing.map(({ fake }) => fake.close()))
    },
  }
}

type Playing = { underTest: VendorUnderTest; samples: VendorRequestSample[]; fake: FakeVendor }

function environmentOf({ underTest, fake }: Playing): NodeJS.ProcessEnv {
  const { key, url } = underTest.vendor.variables
  return { [key]: underTest.key, [url]: fake.url }
}

/** The samples of families that need only a prompt. */
async function wordsAlone(underTest: VendorUnderTest): Promise<VendorRequestSample[]> {
  const { families } = await loadCatalog(catalogFolderOf(underTest))
  return Object.values(underTest.requests).filter(({ familyId, modelId, parameters = {} }) =>
    families.get(familyId)?.variants.some((variant) => {
      const isMeant = modelId === undefined || modelId === variant.modelId
      const takesAll = Object.keys(parameters).every((name) => variant.parameterNames.includes(name))
      return isMeant && takesAll && variant.tasks.some((task) => task.startsWith('text-to-'))
    }),
  )
}

function requestTo({ underTest, samples }: Playing, n: number, turn: number): ReturnType<FaultStage['request']> {
  const sample = samples[turn % samples.length]
  if (!sample) throw new Error(`${underTest.vendor.id} makes nothing of words alone`)
  const { familyId, modelId, parameters } = sample
  return { familyId, ...(modelId === undefined ? {} : { modelId }), prompt: `number ${n}.`, ...(parameters ? { parameters } : {}) }
}

/** The number in the prompt identifies the work. */
function repeatsAt({ accepted }: FakeVendor): number {
  const numbers = accepted.map(({ body }) => /number (\d+)\./.exec(JSON.stringify(body))?.[1])
  if (numbers.includes(undefined)) throw new Error('the prompt does not stand in what a fake was asked')
  return numbers.length - new Set(numbers).size
}
