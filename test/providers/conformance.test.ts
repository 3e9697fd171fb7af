import { afterAll, beforeAll, describe } from 'vitest'
import { type Lab, openLab } from '../support/conformance/lab.ts'
import { provesSuccess } from '../support/conformance/provesSuccess.ts'
import { vendorsUnderTest } from '../support/conformance/vendorsUnderTest.ts'

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
  provesSuccess(underTest, lab)
})
