import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'

const run = promisify(execFile)
const dayMs = 86_400_000

/** Starts a TLS server in place of the proxy. `url`: the BASE_URL of the deployment. `end`: the end of its certificate. */
export async function startProxyCertificate(folder: string) {
  const [certPath, keyPath] = [join(folder, 'proxy.crt'), join(folder, 'proxy.key')]
  let end = new Date()
  const issue = async (days: number) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyPath]
    await run('openssl', ['req', '-x509', ...key, '-days', String(days), '-subj', '/CN=localhost', '-out', certPath])
    end = new Date(Date.now() + days * dayMs)
    return { cert: await readFile(certPath), key: await readFile(keyPath) }
  }
  const server = createServer(await issue(90), (socket) => socket.on('error', () => undefined).end())
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    end: () => end,
    certify: async (days: number) => server.setSecureContext(await issue(days)),
    close: async () => void server.close(),
  }
}
