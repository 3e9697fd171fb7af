import { execFileSync } from 'node:child_process'

type Document = {
  serialNumber?: string
  metadata: { timestamp?: string; component: Record<string, unknown> } & Record<string, unknown>
} & Record<string, unknown>

/**
 * The packages of a production install as CycloneDX, from the lock file. Without what npm adds that differs by run: a random number, the time,
 * and the name of the folder.
 */
export function billOfMaterials(root: string, epochSeconds: number): string {
  const options = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  const text = execFileSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
  const { serialNumber: _, metadata, ...document } = JSON.parse(text) as Document
  const timestamp = new Date(epochSeconds * 1_000).toISOString()
  const component = { ...metadata.component, name: 'atelier', type: 'application' }
  return `${JSON.stringify({ ...document, metadata: { ...metadata, timestamp, component } }, null, 2)}\n`
}
