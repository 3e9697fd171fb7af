import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type IssuedCertificate = { cert: string; key: string }

/** Creates a private CA in `folder` with openssl. `issue` returns the paths of a certificate for a name, and of its key. */
export async function privateCa(folder: string, name: string) {
  const ca = join(folder, `${name}.crt`)
  const caKey = join(folder, `${name}.key`)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await run('openssl', ['req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`, '-keyout', caKey, '-out', ca])
  const issue = async (commonName: string): Promise<IssuedCertificate> => {
    const [cert, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((ending) =>
      join(folder, `${name}-${commonName}.${ending}`),
    ) as [string, string, string, string]
    await run('openssl', ['req', ...newKey, '-subj', `/CN=${commonName}`, '-keyout', key, '-out', request])
    await writeFile(extensions, `subjectAltName=DNS:${commonName}\n`)
    await run('openssl', ['x509', '-req', '-in', request, '-CA', ca, '-CAkey', caKey, '-days', '2', '-extfile', extensions, '-out', cert])
    return { cert, key }
  }
  return { ca, issue }
}
