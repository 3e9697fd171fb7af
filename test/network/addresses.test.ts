import { expect, test } from 'vitest'
import { classifyAddress, parseCidrs } from '../../src/network/addresses.ts'

const notPublic = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1'],
  ...['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '192.175.48.1', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
  ],
  ...['64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '2001::1', '2001:1::1', '2001:10::1', '2001:20::1', '2001:1ff::1'],
  ...['2001:db8::1', '2002::1', '2002:7f00:1::', '2620:4f:8000::1', '3fff::1', '3fff:fff::1', '4000::1', '5f00::1', '8000::1'],
  ...['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'ff02::1', 'ffff::1', '1fff::1'],
]

const open = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
  ],
  ...['169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.0.3.1', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
  ...['198.20.0.0', '223.255.255.255', '168.63.129.15', '168.63.129.17', '::ffff:8.8.8.8', '::ffff:808:808'],
  ...['2001:200::1', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1', '2003::1', '2606:4700::1111', '2620:4f:8001::1', '3ffe::1'],
]

test.each(notPublic)('%s is not public', (address) => {
  expect(classifyAddress(address, [])).toBe('refused')
})

test.each(open)('%s is public', (address) => {
  expect(classifyAddress(address, [])).toBe('public')
})

test.each([
  '',
  'localhost',
  '127.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '8.8.8.8 ',
  '8.8.8',
  '08.8.8.8',
  '[2606:4700::1111]',
  '8.8.8.8/8',
  '::g',
])('%j is not an address in the notation of a resolver and therefore refused, whatever is allowed', (address) => {
  expect(classifyAddress(address, parseCidrs('0.0.0.0/0 ::/0'))).toBe('refused')
})

test('an exception allows only its own block', () => {
  const allowed = parseCidrs('10.1.0.0/16, fd00:1::/32')

  expect(classifyAddress('10.1.255.255', allowed)).toBe('allowed')
  expect(classifyAddress('::ffff:10.1.2.3', allowed)).toBe('allowed')
  expect(classifyAddress('fd00:1::5', allowed)).toBe('allowed')
  expect(classifyAddress('10.2.0.0', allowed)).toBe('refused')
  expect(classifyAddress('fd00:2::5', allowed)).toBe('refused')
  expect(classifyAddress('::10.1.2.3', allowed)).toBe('refused')
  expect(classifyAddress('8.8.8.8', allowed)).toBe('public')
})

test('a block of mapped addresses means the IPv4 addresses in it', () => {
  const allowed = parseCidrs('::ffff:10.1.0.0/112')

  expect(classifyAddress('10.1.2.3', allowed)).toBe('allowed')
  expect(classifyAddress('::ffff:10.1.2.3', allowed)).toBe('allowed')
  expect(classifyAddress('10.2.2.3', allowed)).toBe('refused')
})

test('a block covering all of IPv6 does not open private IPv4', () => {
  expect(classifyAddress('::1', parseCidrs('::/0'))).toBe('allowed')
  expect(classifyAddress('::ffff:10.0.0.1', parseCidrs('::/0'))).toBe('refused')
})

test('an exception inside a public block counts as allowed, so that its rules apply', () => {
  expect(classifyAddress('8.8.8.8', parseCidrs('8.8.8.0/24'))).toBe('allowed')
})

test('CIDRs are separated by commas and white space, and a single address is a block of one', () => {
  expect(parseCidrs(' 127.0.0.1/32,\n10.0.0.0/8  ::1 ').map((cidr) => `${cidr.network}/${cidr.prefixBits}`)).toEqual([
    '127.0.0.1/32',
    '10.0.0.0/8',
    '::1/128',
  ])
  expect(parseCidrs('')).toEqual([])
  expect(parseCidrs(' , ')).toEqual([])
})

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '010.0.0.0/8',
  '0x0a.0.0.0/8',
  '::/129',
  'fe80::%eth0/10',
  'localhost',
  'ten/8',
  '/8',
])('%j among CIDRs is named in the refusal', (entry) => {
  expect(() => parseCidrs(`127.0.0.1/32, ${entry}`)).toThrow(`"${entry}"`)
})
