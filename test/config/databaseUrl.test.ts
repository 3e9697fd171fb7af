import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { databaseUrl } from '../../src/config/databaseUrl.ts'
import { memoryFolder } from '../support/processes/memoryFolder.ts'

const folder = await mkdtemp(join(memoryFolder(), 'atelier-tls-'))
afterAll(() => rm(folder, { recursive: true }))
const ca = join(folder, 'ca.crt')
await writeFile(ca, 'not read as a certificate yet')
const base = 'postgresql://u:p@db.internal/atelier'

test.each([
  ['', ''],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?application_name=a&sslmode=prefer', '?application_name=a&sslmode=verify-full'],
  ['?sslmode=verify-ca', '?sslmode=verify-full'],
  [`?sslmode=verify-ca&sslrootcert=${ca}`, `?sslmode=verify-ca&uselibpqcompat=true&sslrootcert=${ca}`],
  [`?sslmode=verify-full&sslrootcert=${ca}`, `?sslmode=verify-full&sslrootcert=${ca}`],
  ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
])('the options %j are %j for the driver', (given, expected) => {
  expect(databaseUrl.parse(`${base}${given}`)).toBe(`${base}${expected}`)
})

test.each([
  ['sslmode=always', 'takes one of these values of sslmode: disable, prefer, require, verify-ca, verify-full, no-verify'],
  ['sslmode=verify-full&sslrootcert=/nowhere/ca.crt', 'names a file in sslrootcert that cannot be read (ENOENT)'],
  [`sslmode=verify-full&sslcert=${ca}`, 'takes sslcert and sslkey together'],
  [`sslmode=verify-full&sslcert=${ca}&sslkey=${folder}`, 'names a file in sslkey that cannot be read (EISDIR)'],
])('the options %s are refused', (options, message) => {
  expect(databaseUrl.safeParse(`${base}?${options}`).error?.issues).toMatchObject([{ message, params: { isExplained: true } }])
})

test.each(['10.0.0.7', '[fd00::7]'])(
  'the IP address %s is refused where TLS verifies the host name, and accepted with verify-ca',
  (host) => {
    const at = (options: string) => databaseUrl.safeParse(`postgresql://u:p@${host}/atelier?${options}`)
    for (const options of ['sslmode=verify-full', 'sslmode=require', `sslrootcert=${ca}`, 'uselibpqcompat=true&sslmode=verify-full']) {
      expect(at(options).error?.issues[0]?.message).toMatch(/^takes a host name when TLS verifies it/)
    }
    for (const options of ['sslmode=disable', 'sslmode=no-verify', `sslmode=verify-ca&sslrootcert=${ca}`])
      expect(at(options).success).toBe(true)
  },
)
