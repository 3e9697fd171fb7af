import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCidrs } from '../../src/network/addresses.ts'
import { isTrusted, rateLimitAddress } from '../../src/network/clientAddress.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
])('%s counts as %s', (address, counted) => {
  expect(rateLimitAddress([address])).toBe(counted)
})

test('the last valid address counts', () => {
  expect(rateLimitAddress(['10.0.0.1', '192.0.2.7'])).toBe('192.0.2.7')
  expect(rateLimitAddress(['10.0.0.1', 'unknown'])).toBe('10.0.0.1')
  expect(rateLimitAddress(['10.0.0.1', '192.0.2.7', '', '999.1.1.1'])).toBe('192.0.2.7')
  expect(rateLimitAddress([undefined])).toBe('unknown')
})

test.each(['10.1.2.3', '::ffff:10.1.2.3', '10.1.2.3:80', '[fd00::1]:80', 'fd00::1'])('%s is a proxy in 10.0.0.0/8,fd00::/8', (address) => {
  expect(isTrusted(address, parseCidrs('10.0.0.0/8,fd00::/8'))).toBe(true)
})

test.each(['11.1.2.3', '', undefined, '10.1.2', '10.1.2.3, 10.1.2.4', '0x0a.1.2.3', 'fe80::1', '[10.1.2.3', '10.0.0.0/8'])(
  '%j is not an address',
  (address) => {
    expect(isTrusted(address, parseCidrs('10.0.0.0/8,fd00::/8'))).toBe(false)
  },
)

test('any header counts as an address, a /64 or unknown', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.ipV4(),
          fc.ipV6(),
          fc.ipV6().map((each) => `[${each}]:1`),
        ),
        { maxLength: 5 },
      ),
      (entries) => {
        const counted = rateLimitAddress(entries)
        expect(counted === 'unknown' || isIP(counted) === 4 || (counted.endsWith('/64') && isIP(counted.slice(0, -3)) === 6)).toBe(true)
      },
    ),
  )
})
