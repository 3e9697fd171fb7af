import { expect, test } from 'vitest'
import { aFileServer } from '../http/fileServer.ts'
import { sampleFile } from '../media/sampleFile.ts'
import { expectInvariants, failureOf } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import { vendorCase } from './vendorCase.ts'
import type { Behaviour, VendorUnderTest } from './vendorUnderTest.ts'

const unfit: [string, Behaviour, string][] = [
  ['other bytes than were asked for', { kind: 'wrong_media' }, 'provider_error/provider_failed'],
  ['more than 150 MB', { kind: 'huge' }, 'provider_error/provider_failed'],
  ['an output that is gone', { kind: 'expired' }, 'provider_error/result_expired'],
]

/** The vendor whose output reaches the real limit. The usual run cuts those of the others at a lower one, because 150 MB are expensive. */
const reachesLimit = 'openai'
const lowLimitBytes = 1024 * 1024

/** Wrong outputs, and outputs at forbidden addresses. */
export function outputTests({ vendor, without = [] }: VendorUnderTest, lab: () => Lab): void {
  test.each(unfit.filter(([, { kind }]) => !without.includes(kind)))(
    '%s: the work fails and costs nothing',
    async (_what, behaviour, failure) => {
      const isCut = behaviour.kind === 'huge' && vendor.id !== reachesLimit && process.env['CONFORMANCE'] !== 'whole'
      const made = await vendorCase(lab(), { behaviour, outputBytesMax: isCut ? lowLimitBytes : undefined })
      expect(failureOf(await made.settle())).toBe(failure)
      await expectInvariants(lab(), made, { charged: false, accepted: 1 })
    },
  )

  test.skipIf(without.includes('several'))('the first output that fits is the result, charged once', async () => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'several' } })
    expect((await made.settle()).state).toBe('ready')
    await expectInvariants(lab(), made, { charged: true, accepted: 1 })
  })

  test.skipIf(without.includes('hostile_address')).each([
    ['a private address', () => 'http://10.0.0.1/picture'],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['our own address', ({ app }: Lab) => `${app.origin}/healthz`],
    ['a file', () => 'file:///etc/passwd'],
    ['no address at all', () => 'picture.png'],
    ['an address with a name and a password', (_lab: Lab, fine: string) => fine.replace('//', '//user:word@')],
    ['a redirect to a private address', (_lab: Lab, fine: string) => new URL('/away', fine).href],
  ])('an output at %s is not fetched, and the work fails and costs nothing', async (_what, addressOf) => {
    const picture = await sampleFile('png')
    const { url, requests } = await aFileServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://10.0.0.1/picture' }).end()
      else response.writeHead(200).end(picture)
    })
    const made = await vendorCase(lab(), { behaviour: { kind: 'hostile_address', url: addressOf(lab(), url) } })
    // An invalid URL may count as a missing output.
    expect(failureOf(await made.settle())).toMatch(/^provider_error\/(provider_failed|result_expired)$/)
    expect(requests.every((request) => request.url === '/away' && request.headers.authorization === undefined)).toBe(true)
    await expectInvariants(lab(), made, { charged: false, accepted: 1 })
  })

  test.skipIf(without.includes('hostile_address'))(
    "an output at another address than the vendor's is fetched without its key",
    async () => {
      const { url, requests } = await aFileServer({ body: await sampleFile('png') })
      const made = await vendorCase(lab(), { behaviour: { kind: 'hostile_address', url } })
      await made.settle()
      expect(requests).toHaveLength(1)
      expect(JSON.stringify(requests[0]?.rawHeaders)).not.toContain(lab().underTest.key)
    },
  )
}
