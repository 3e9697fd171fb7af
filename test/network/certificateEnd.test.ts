import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { certificateEnd } from '../../src/network/certificateEnd.ts'
import { memoryFolder } from '../support/processes/memoryFolder.ts'
import { privateCa } from '../support/tls/certificates.ts'

test('the end of a certificate is read, also of one that no public authority has issued', async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { issue } = await privateCa(folder, 'company')
  const { cert, key } = await issue('localhost')
  const server = createServer({ cert: await readFile(cert), key: await readFile(key) }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const end = await certificateEnd(new URL(`https://127.0.0.1:${port}`))
  const days = (end.getTime() - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(1)
  expect(days).toBeLessThan(3)
})

test('an address without a server is an error', async () => {
  await expect(certificateEnd(new URL('https://127.0.0.1:1'))).rejects.toThrow('ECONNREFUSED')
})
