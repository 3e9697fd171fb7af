import { afterEach } from 'vitest'
import type { JobSpec, Submitted } from '../../../../src/providers/provider.ts'
import { google } from '../../../../src/providers/vendors/google/index.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { type FakeGoogle, googleKey, startGoogle } from '../../../support/vendors/googleServer.ts'
import { anInput, jobOf } from '../../../support/vendors/vendorJobs.ts'

const open: FakeGoogle[] = []

afterEach(async () => {
  for (const fake of open.splice(0)) await fake.close()
})

/** Starts a fake Google and our provider for it, until the end of the test. */
export async function aGoogle({ key = googleKey }: { key?: string } = {}) {
  const fake = await startGoogle()
  open.push(fake)
  const provider = google.make({ url: fake.url, key, outputs: { allowedPrivate: [], own: { listeners: [], names: [] } } })
  return { fake, provider, ...aProviderContext() }
}

/** A job for each API of Google. */
export function workFor(api: 'image' | 'omni' | 'veo', given: Partial<JobSpec> = {}): Promise<JobSpec> {
  const models = { image: 'google-nano-banana.text-to-image', omni: 'google-omni.text-to-video', veo: 'google-veo.text-to-video.fast' }
  return jobOf('google', models[api], given)
}

/** A job with images for each API of Google. */
export async function workFrom(api: 'image' | 'omni' | 'veo', count = 1): Promise<JobSpec> {
  const models = { image: 'google-nano-banana.image-to-image', omni: 'google-omni.image-to-video', veo: 'google-veo.image-to-video.fast' }
  const picture = await sampleFile('png')
  return jobOf('google', models[api], { inputs: Array.from({ length: count }, () => anInput(picture)) })
}

/** The handle of accepted work. */
export function handleOf(submitted: Submitted) {
  if (submitted.kind !== 'job') throw new Error(`no job: ${JSON.stringify(submitted)}`)
  return submitted.handle
}

/** The body of the first request. */
export function firstRequestBody({ accepted: [first] }: FakeGoogle): Record<string, unknown> {
  return (first as { body: Record<string, unknown> }).body
}
