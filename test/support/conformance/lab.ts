import sharp from 'sharp'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { parseCidrs } from '../../../src/network/addresses.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { type TestApp, testApp } from '../app.ts'
import { aTeamWithKey, type TeamWithKey } from '../factories.ts'
import { fileForm } from '../http/uploads.ts'
import { sampleFile } from '../media/sampleFile.ts'
import { catalogFolderOf } from './catalogFolderOf.ts'
import type { FakeVendor, VendorRequestSample, VendorUnderTest } from './vendorUnderTest.ts'

/** The service with the families of one vendor, its own database, a real listener, and a paying team. */
export type Lab = {
  underTest: VendorUnderTest
  app: TestApp
  team: TeamWithKey
  /** The vendor's provider, connected to the fake. */
  providerAt(fake: FakeVendor, options?: { key?: string | undefined; outputBytesMax?: number | undefined }): Provider
  /** The request of a sample with uploaded inputs; the same inputs for the same media. */
  requestOf(sample: VendorRequestSample): Promise<{ body: Record<string, unknown>; inputs: Buffer[] }>
  close(): Promise<void>
}

export async function openLab(underTest: VendorUnderTest): Promise<Lab> {
  const { vendor, key } = underTest
  const app = await testApp({
    catalogFolder: catalogFolderOf(underTest),
    // Only this machine is an allowed private address, and our own listener is not.
    settings: { allowedPrivateAddresses: parseCidrs('127.0.0.1/32') },
  })
  const team = await aTeamWithKey(app.services, { credits: 1_000_000 })
  const uploads = new Map<OutputType, Promise<{ id: string; bytes: Buffer }>>()
  const uploaded = (medium: OutputType) => {
    const found = uploads.get(medium) ?? upload(app, team, medium)
    uploads.set(medium, found)
    return found
  }
  return {
    underTest,
    app,
    team,
    providerAt(fake, { key: ownKey = key, outputBytesMax: bytesMax } = {}) {
      const { allowedPrivateAddresses: allowedPrivate, ownAddresses: own } = app.services.settings
      return vendor.make({ url: fake.url, key: ownKey, outputs: { allowedPrivate, own, ...(bytesMax === undefined ? {} : { bytesMax }) } })
    },
    async requestOf({ inputs: media = [], ...sample }) {
      const files = await Promise.all(media.map(uploaded))
      const lists = (['image', 'video', 'audio', 'model3d'] as const).map((medium) => [
        fields[medium],
        files.filter((_, index) => media[index] === medium).map(({ id }) => id),
      ])
      return {
        body: { ...sample, ...Object.fromEntries(lists.filter(([, ids]) => ids?.length)) },
        inputs: files.map(({ bytes }) => bytes),
      }
    },
    close: () => app.close(),
  }
}

const fields = { image: 'imageIds', video: 'videoIds', audio: 'audioIds', model3d: 'model3dIds' }

async function upload(app: TestApp, { value: key }: TeamWithKey, medium: OutputType): Promise<{ id: string; bytes: Buffer }> {
  const bytes = await content(medium)
  const { status, body, text } = await app.ask('POST /files', { key, ...fileForm(bytes) })
  if (status !== 201) throw new Error(`an input of the suite was not taken: ${text}`)
  return { id: body.fileId, bytes }
}

/** Images large enough for every vendor. */
function content(medium: OutputType): Promise<Buffer> {
  if (medium !== 'image') return sampleFile(({ video: 'mp4', audio: 'wav', model3d: 'glb' } as const)[medium])
  return sharp({ create: { width: 640, height: 640, channels: 3, background: '#369' } })
    .png()
    .toBuffer()
}
