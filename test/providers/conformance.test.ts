import { afterAll, beforeAll, describe } from 'vitest'
import { cancelTests } from '../support/conformance/cancelTests.ts'
import { crashTests } from '../support/conformance/crashTests.ts'
import { failureTests } from '../support/conformance/failureTests.ts'
import { type Lab, openLab } from '../support/conformance/lab.ts'
import { outputTests } from '../support/conformance/outputTests.ts'
import { slowVendorTests } from '../support/conformance/slowVendorTests.ts'
import { successTests } from '../support/conformance/successTests.ts'
import { proxyTests, unansweredSubmitTests } from '../support/conformance/unansweredSubmitTests.ts'
import { vendorsUnderTest } from '../support/conformance/vendorsUnderTest.ts'

const parts = [successTests, failureTests, slowVendorTests, unansweredSubmitTests, proxyTests, outputTests, cancelTests, crashTests]

describe.each(vendorsUnderTest.map((underTest) => ({ id: underTest.vendor.id, underTest })))('$id:', ({ underTest }) => {
  let opened: Lab | undefined
  beforeAll(async () => {
    opened = await openLab(underTest)
  })
  afterAll(() => opened?.close())
  const lab = () => {
    if (!opened) throw new Error('the lab is not open')
    return opened
  }
  for (const proves of parts) proves(underTest, lab)
})
