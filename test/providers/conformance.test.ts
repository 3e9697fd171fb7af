import { afterAll, beforeAll, describe } from 'vitest'
import { type Lab, openLab } from '../support/conformance/lab.ts'
import { provesCancels } from '../support/conformance/provesCancels.ts'
import { provesDeaths } from '../support/conformance/provesDeaths.ts'
import { provesFailures } from '../support/conformance/provesFailures.ts'
import { provesOutputs } from '../support/conformance/provesOutputs.ts'
import { provesPatience } from '../support/conformance/provesPatience.ts'
import { provesProxies, provesSilence } from '../support/conformance/provesSilence.ts'
import { provesSuccess } from '../support/conformance/provesSuccess.ts'
import { vendorsUnderTest } from '../support/conformance/vendorsUnderTest.ts'

const parts = [provesSuccess, provesFailures, provesPatience, provesSilence, provesProxies, provesOutputs, provesCancels, provesDeaths]

describe.each(vendorsUnderTest.map((underTest) => ({ id: underTest.vendor.id, underTest })))('$id:', ({ underTest }) => {
  let opened: Lab | undefined
  beforeAll(async () => {
    opened = await openLab(underTest)
  })
  afterAll(() => opened?.close())
  const lab = () => {
    if (!opened) throw new Error('nothing is open')
    return opened
  }
  for (const proves of parts) proves(underTest, lab)
})
