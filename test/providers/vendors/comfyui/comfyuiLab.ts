import { afterEach } from 'vitest'
import type { JobSpec, Submitted } from '../../../../src/providers/provider.ts'
import { comfyui } from '../../../../src/providers/vendors/comfyui/index.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { comfyuiKey, type FakeComfyui, startComfyui } from '../../../support/vendors/comfyuiServer.ts'
import { jobOf } from '../../../support/vendors/vendorJobs.ts'

const open: FakeComfyui[] = []

afterEach(async () => {
  for (const fake of open.splice(0)) await fake.close()
})

/** Starts a fake ComfyUI and our provider for it, until the end of the test. */
export async function aComfyui({ version, key = comfyuiKey }: { version?: string; key?: string } = {}) {
  const fake = await startComfyui(version === undefined ? {} : { version })
  open.push(fake)
  const provider = comfyui.make({ url: fake.url, key, outputs: { allowedPrivate: [], own: { listeners: [], names: [] } } })
  return { fake, provider, ...aProviderContext() }
}

export function anImage(given: Partial<JobSpec> = {}): Promise<JobSpec> {
  return jobOf('comfyui', 'comfyui-z-image.text-to-image', given)
}

/** The handle of accepted work. */
export function handleOf(submitted: Submitted) {
  if (submitted.kind !== 'job') throw new Error(`no job: ${JSON.stringify(submitted)}`)
  return submitted.handle
}
