import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { selfSignedCertificate } from '../../network/selfSignedCertificate.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../../../clients/python')
const dayMs = 24 * 60 * 60 * 1000

/** The client needs Python 3.10 or newer. A fresh machine may not have it. */
async function findPython(): Promise<string | undefined> {
  for (const name of ['python3', 'python']) {
    const found = await run(name, ['-c', 'import sys; print(sys.version_info >= (3, 10))']).catch(() => undefined)
    if (found?.stdout.trim() === 'True') return name
  }
  return undefined
}

const python = await findPython()
if (python === undefined) console.warn('The client for Python is not tested: there is no python3 of version 3.10 or newer.')

const app = python === undefined ? undefined : await testApp({ worker: true })
afterAll(() => app?.close())

test.skipIf(python === undefined)(
  'the test suite of the Python client passes against a running service',
  async () => {
    if (!app) return
    const folder = await mkdtemp(join(tmpdir(), 'atelier-python-'))
    try {
      const { value: key } = await aTeamWithKey(app.services)
      const { value: readerKey } = await aTeamWithKey(app.services, { scopes: ['catalog:read'] })
      const now = Date.now()
      const pair = selfSignedCertificate({ hostname: 'service.example', notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) })
      const certificate = join(folder, 'certificate.pem')
      await writeFile(certificate, pair.key + pair.cert)
      const ended = await run(python ?? '', ['-m', 'unittest'], {
        cwd: project,
        env: {
          ...process.env,
          ATELIER_URL: `${app.origin}/api/v1`,
          ATELIER_KEY: key,
          ATELIER_TEST_READER_KEY: readerKey,
          ATELIER_TEST_CERTIFICATE: certificate,
          PYTHONDONTWRITEBYTECODE: '1',
        },
      }).catch((error: { stderr: string }) => error)
      expect(ended.stderr).toMatch(/\nRan \d{3,} tests in [\d.]+s\n\nOK( \(skipped=\d\))?\n$/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  90_000,
)
