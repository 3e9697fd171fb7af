import { fileURLToPath } from 'node:url'
import { diskStorage } from './disk.ts'
import type { S3Options } from './s3.ts'
import type { Storage } from './storage.ts'

const takes = 'takes file:///path or s3://bucket/prefix?endpoint=https://…&region=…'
const bucketForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/
const prefixForm = /^[A-Za-z0-9!_'()-][A-Za-z0-9!_.'()-]*(\/[A-Za-z0-9!_'()-][A-Za-z0-9!_.'()-]*)*$/
const regionForm = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Opens the storage at a URL, without connecting or checking it. Rejects with a RangeError whose one-line message never contains the URL,
 * because URLs may contain passwords. `refuseSymlinks`: see `diskStorage`.
 * Contract: docs/contract.md#data-and-secrets.
 */
export async function openStorage(url: string, { refuseSymlinks = false } = {}): Promise<Storage> {
  const address = URL.parse(url)
  if (address?.protocol === 'file:' && url.startsWith('file:///')) return diskStorage({ folder: folderOf(address), refuseSymlinks })
  if (address?.protocol === 's3:') {
    const options = s3OptionsOf(address)
    // Loaded on demand, because it is the largest module at start-up.
    const { s3Storage } = await import('./s3.ts')
    return s3Storage(options)
  }
  throw new RangeError(takes)
}

function folderOf(address: URL): string {
  if (address.search !== '' || address.hash !== '') throw fault('a ? or # of the path is written %3F or %23')
  let folder: string
  try {
    folder = fileURLToPath(address)
  } catch (error) {
    throw fault('the path contains a percent escape that is not allowed', error)
  }
  if (folder === '/' || folder.includes('\0')) throw fault('the path must name a folder')
  return folder
}

function s3OptionsOf(address: URL): S3Options {
  if (address.username !== '' || address.password !== '') throw fault('credentials come from the AWS variables')
  const unknown = [...address.searchParams.keys()].find((name) => !['endpoint', 'region', 'checksums'].includes(name))
  if (unknown !== undefined) throw fault(`there is no setting ${JSON.stringify(unknown.slice(0, 50))}`)

  const prefix = address.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (!bucketForm.test(address.hostname) || address.port !== '' || address.hash !== '') throw fault('the name of the bucket is not valid')
  if (prefix !== '' && !prefixForm.test(prefix)) throw fault("the prefix takes A-Z a-z 0-9 ! _ . ' ( ) - and / between its parts")
  return { bucket: address.hostname, prefix, ...settingsOf(address) }
}

function settingsOf(address: URL): Pick<S3Options, 'endpoint' | 'region' | 'sendsChecksums'> {
  const region = single(address, 'region')
  const endpoint = single(address, 'endpoint')
  const checksums = single(address, 'checksums')
  if (region !== undefined && !regionForm.test(region)) throw fault('the name of the region is not valid')
  if (endpoint !== undefined && !isEndpoint(endpoint)) throw fault('the endpoint is an http or https address without credentials or query')
  if (checksums !== undefined && checksums !== 'always') throw fault('checksums takes always')
  return { ...(endpoint ? { endpoint } : {}), ...(region ? { region } : {}), ...(checksums ? { sendsChecksums: true } : {}) }
}

function single(address: URL, name: string): string | undefined {
  const [value, ...more] = address.searchParams.getAll(name)
  if (more.length > 0) throw fault(`${name} is given more than once`)
  return value
}

function isEndpoint(text: string): boolean {
  const endpoint = URL.parse(text)
  if (endpoint === null || !['http:', 'https:'].includes(endpoint.protocol)) return false
  return endpoint.username === '' && endpoint.password === '' && endpoint.search === '' && endpoint.hash === ''
}

function fault(found: string, cause?: unknown): RangeError {
  return new RangeError(`${takes}; ${found}`, { cause })
}
