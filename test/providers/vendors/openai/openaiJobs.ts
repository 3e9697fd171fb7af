import { onTestFinished } from 'vitest'
import type { JobSpec, Submitted } from '../../../../src/providers/provider.ts'
import type { Behaviour, FakeVendor } from '../../../support/conformance/vendorUnderTest.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { openaiUnderTest } from '../../../support/vendors/openai.ts'
import { providerAt } from '../../providerAt.ts'

/** Submits a job to a fake with the given behaviour. */
export async function submitTo(behaviour: Behaviour, spec: JobSpec) {
  const fake: FakeVendor = await openaiUnderTest.startFake()
  onTestFinished(() => fake.close())
  fake.behave(behaviour)
  const provider = providerAt(openaiUnderTest, fake.url)
  const { context, kept, warnings } = aProviderContext()
  const submitted: Submitted = await provider.submit(spec, context)
  return { submitted, fake, provider, context, kept, warnings }
}
