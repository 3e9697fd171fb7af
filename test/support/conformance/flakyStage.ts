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
  /** The numbers of accepted submits by vendor. */
  accepted(): Record<string, number>
}

/** The share of vendor connections that are cut. */
const cutShare = 0.2
/** A connection is cut within this time, in which most responses are sent. */
const cutWithinMs = 15

/**
 * Starts the fakes of all vendors and cuts some of their connections: before the request arrives, while the fake
 * processes it, or while it responds. This affects submits, polls and downloads.
 */
export async function flakyStage(places: WorkerPlaces, random: () => number): Promise<FlakyStage> {
  const shipped = vendorsUnderTest.filter(({ vendor }) => vendors.includes(vendor))
  const fakes = await Promise.all(
    shipped.map(async (underTest) => ({ underTest, samples: await promptOnlySamples(underTest), fake: await underTest.startFake() })),
  )
  const ports = new Set(fakes.map(({ fake }) => Number(new URL(fake.url).port)))
  const connections = { cut: 0, left: 0 }
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (!ports.has(socket.localPort ?? 0)) return
    const isCut = random() < cutShare
    connections[isCut ? 'cut' : 'left']++
    if (isCut) setTimeout(() => socket.destroy(), random() * cutWithinMs)
  }
  subscribe('net.server.socket', onSocket)
  return {
    env: { ...workerEnvironment(places), ...Object.assign({}, ...fakes.map(environmentOf)) },
    request: (n) => requestTo(fakes[n % fakes.length] as StartedFake, n, Math.floor(n / fakes.length)),
    submittedTwice: () => fakes.reduce((sum, { fake }) => sum + repeatedSubmits(fake), 0),
    connections,
    accepted: () => Object.fromEntries(fakes.map(({ underTest, fake }) => [underTest.vendor.id, fake.accepted.length])),
    async close() {
      unsubscribe('net.server.socket', onSocket)
      await Promise.all(fakes.map(({ fake }) => fake.close()))
    },
  }
}

type StartedFake = { underTest: VendorUnderTest; samples: VendorRequestSample[]; fake: FakeVendor }

function environmentOf({ underTest, fake }: StartedFake): NodeJS.ProcessEnv {
  const { key, url } = underTest.vendor.variables
  return { [key]: underTest.key, [url]: fake.url }
}

/** The samples of variants that need only a prompt. */
async function promptOnlySamples(underTest: VendorUnderTest): Promise<VendorRequestSample[]> {
  const { families } = await loadCatalog(catalogFolderOf(underTest))
  return Object.values(underTest.requests).filter(({ familyId, modelId, parameters = {} }) =>
    families.get(familyId)?.variants.some((variant) => {
      const isSelected = modelId === undefined || modelId === variant.modelId
      const hasAllParameters = Object.keys(parameters).every((name) => variant.parameterNames.includes(name))
      return isSelected && hasAllParameters && variant.tasks.some((task) => task.startsWith('text-to-'))
    }),
  )
}

function requestTo({ underTest, samples }: StartedFake, n: number, sampleNumber: number): ReturnType<FaultStage['request']> {
  const sample = samples[sampleNumber % samples.length]
  if (!sample) throw new Error(`${underTest.vendor.id} has no sample that needs only a prompt`)
  const { familyId, modelId, parameters } = sample
  return { familyId, ...(modelId === undefined ? {} : { modelId }), prompt: `number ${n}.`, ...(parameters ? { parameters } : {}) }
}

/** Counts repeated submits. The number in the prompt identifies the generation. */
function repeatedSubmits({ accepted }: FakeVendor): number {
  const numbers = accepted.map(({ body }) => /number (\d+)\./.exec(JSON.stringify(body))?.[1])
  if (numbers.includes(undefined)) throw new Error('a request that a fake accepted has no number in its prompt')
  return numbers.length - new Set(numbers).size
}
