import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { parseCidrs } from '../../src/network/addresses.ts'
import { checkUrl } from '../../src/network/checkUrl.ts'
import { type OwnAddresses, ownAddressesOf } from '../../src/network/ownAddresses.ts'

/** The widest exception that an operator can set. */
const everything = parseCidrs('0.0.0.0/0 ::/0')

async function verdict(url: string, own: OwnAddresses, addresses?: string[]): Promise<string> {
  const rules = { allowedPrivate: everything, own, schemes: 'http_and_https', ports: 'any', deadlineSeconds: 5 } as const
  try {
    await checkUrl(url, { ...rules, resolve: async () => addresses ?? [] })
    return 'let through'
  } catch (error) {
    return (error as Error).message
  }
}

const refused = 'address is one of this service'
const nearby = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

describe('listening on one address', async () => {
  const own = await ownAddressesOf([{ host: '127.0.0.1', port: 8080 }], [])

  test.each([
    'http://127.0.0.1:8080/',
    'http://127.1:8080/',
    'http://2130706433:8080/r/x',
    'http://0x7f.0.0.1:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://0.0.0.0:8080/',
    'http://0:8080/',
    'http://[::]:8080/',
  ])('%s is an own address in every notation', async (url) => {
    expect(await verdict(url, own)).toBe(refused)
  })

  test('a name that resolves to an own address is refused, also among other addresses', async () => {
    expect(await verdict('http://elsewhere.test:8080/', own, ['192.0.2.1', '127.0.0.1'])).toBe(refused)
  })

  test.each(['http://127.0.0.1:8081/', 'http://127.0.0.2:8080/', 'http://127.0.0.1/', 'http://192.0.2.1:8080/'])(
    '%s is another host',
    async (url) => {
      expect(await verdict(url, own)).toBe('let through')
    },
  )
})

describe.each(['0.0.0.0', '::'])('listening on %s', async (host) => {
  const own = await ownAddressesOf([{ host, port: 8080 }], [])

  test.each([
    'http://127.0.0.1:8080/',
    'http://127.9.9.9:8080/',
    'http://[::1]:8080/',
    'http://0.0.0.0:8080/',
    `http://${nearby ?? '127.0.0.1'}:8080/`,
  ])('%s is this machine', async (url) => {
    expect(await verdict(url, own)).toBe(refused)
  })

  test.each(['http://192.0.2.1:8080/', 'http://127.0.0.1:8081/'])('%s is not an own address', async (url) => {
    expect(await verdict(url, own)).toBe('let through')
  })
})

describe('with public and internal addresses', async () => {
  const own = await ownAddressesOf(
    [{ host: 'localhost', port: 1 }],
    ['https://Media.Example.com', 'http://10.0.0.7:9090', 'http://localhost:8080'],
  )

  test.each([
    'https://media.example.com/r/x',
    'https://MEDIA.example.com./',
    'http://media.example.com:5432/',
    'http://10.0.0.7:9090/graphql',
    'http://[::ffff:10.0.0.7]:9090/graphql',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1:1/',
  ])('%s is this deployment', async (url) => {
    expect(await verdict(url, own, ['192.0.2.1'])).toBe(refused)
  })

  test.each([
    'https://example.com/',
    'https://hooks.media.example.com/',
    'http://10.0.0.7/',
    'http://10.0.0.8:9090/',
    'http://127.0.0.1:2/',
  ])('%s is not this deployment', async (url) => {
    expect(await verdict(url, own, ['192.0.2.1'])).toBe('let through')
  })
})

test('a trusted origin may share the host name of the service, but not its port', async () => {
  const own = await ownAddressesOf([{ host: '0.0.0.0', port: 8080 }], ['http://studio.test:8080'])
  const trusted = (url: string) =>
    checkUrl(url, {
      own,
      allowedPrivate: [],
      trustedOrigins: ['http://studio.test:8188', 'http://studio.test:8080'],
      schemes: 'http_and_https',
      ports: 'any',
      deadlineSeconds: 5,
      resolve: async () => ['127.0.0.1'],
    })
  await expect(trusted('http://studio.test:8188/view')).resolves.toMatchObject({ addresses: ['127.0.0.1'] })
  await expect(trusted('http://studio.test:8080/r/x')).rejects.toThrow(refused)
  await expect(trusted('http://studio.test:9999/')).rejects.toThrow(refused)
})
