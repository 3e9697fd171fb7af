import { expect, test } from 'vitest'
import { publicInputLink } from '../../../src/providers/connector/publicInputLink.ts'
import { anInput } from '../../support/vendors/vendorJobs.ts'

const linkAt = (origin: string) => publicInputLink(anInput(Buffer.alloc(1), { link: () => `${origin}/r/token` }))

test.each(['https://atelier.example.com', 'https://studio.example.org:8443', 'https://atelier.example.com.'])(
  '%s gets a link that a vendor can fetch',
  (origin) => {
    expect(linkAt(origin)).toBe(`${origin}/r/token`)
  },
)

test.each([
  'http://atelier.example.com',
  'https://localhost:3000',
  'https://studio.localhost',
  'https://atelier',
  'https://atelier.local',
  'https://atelier.internal',
  'https://nas.home.arpa',
  'https://203.0.113.7',
  'https://[2001:db8::1]',
])('%s gets no link', (origin) => {
  expect(linkAt(origin)).toBeUndefined()
})
