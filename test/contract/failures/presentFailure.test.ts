import { expect, test } from 'vitest'
import { docUrlsAt } from '../../../src/contract/docUrl.ts'
import { presentFailure } from '../../../src/contract/failures/presentFailure.ts'

const docUrls = docUrlsAt('https://atelier.example')

test('a reason that is no longer in the table is returned with the URL of its class', () => {
  expect(presentFailure({ code: 'timeout', reason: 'long_gone' as never }, docUrls)).toMatchObject({
    code: 'timeout',
    reason: 'long_gone',
    retryable: true,
    docUrl: 'https://atelier.example/docs/errors#failure-timeout',
  })
})

test('a failure has the documentation URL of its reason', () => {
  expect(presentFailure({ code: 'content_policy', reason: 'prompt_rejected' }, docUrls).docUrl).toBe(
    'https://atelier.example/docs/errors#content_policy-prompt_rejected',
  )
})
