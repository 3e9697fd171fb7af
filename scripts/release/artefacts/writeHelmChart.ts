import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { readBuildContext } from '../buildContext.ts'
import type { NamedImage } from '../image/nameImage.ts'

/** Not in the chart: the file of kustomize, and an example. */
const excludedFiles = ['kustomization.yaml', 'secret.example.yaml']

type Settings = { data: Record<string, string> }
type Ingress = { spec: { ingressClassName: string; tls: [{ secretName: string }]; rules: [{ host: string }] } }

/** The values of a chart. Their defaults are what `deploy/kubernetes` has. */
export type ChartValues = {
  image: { repository: string; tag: string; digest: string }
  settings: Record<string, string>
  ingress: { enabled: boolean; className: string; host: string; tlsSecret: string }
  backup: { enabled: boolean; target: string }
  /** For the Prometheus operator. Off, because a cluster without it refuses the objects. */
  monitoring: { enabled: boolean; labels: Record<string, string> }
}

type Chart = { root: string; version: string; image?: NamedImage | undefined }

/**
 * Writes a Helm chart from the manifests of `deploy/kubernetes` into `folder`: image, settings, address and the target of backups become values,
 * and the alert rules of `deploy/monitoring` become a PrometheusRule. The migration is a hook that runs before an installation and an upgrade. The secrets are the operator's, as with kustomize:
 * only manifests that `.dockerignore` allows are in it, so a filled-in secret beside them is not.
 */
export async function writeHelmChart(folder: string, { root, version, image: named }: Chart): Promise<void> {
  const from = join(root, 'deploy/kubernetes')
  const read = (name: string) => readFile(join(from, name), 'utf8')
  const isInContext = await readBuildContext(root)
  const isTemplate = (name: string) => name.endsWith('.yaml') && !excludedFiles.includes(name) && isInContext(`deploy/kubernetes/${name}`)
  const names = (await readdir(from)).filter(isTemplate).toSorted()
  await mkdir(join(folder, 'templates'), { recursive: true })
  const values = chartValues(
    { settings: await read('settings.yaml'), ingress: await read('ingress.yaml'), backup: await read('backup.yaml') },
    { version, named },
  )
  await writeFile(join(folder, 'Chart.yaml'), stringify(chartOf(version)))
  await writeFile(join(folder, 'values.yaml'), `${valuesNote}${stringify(values)}`)
  for (const name of names) await writeFile(join(folder, 'templates', name), templateOf(name, await read(name), values))
  // A file beside the templates: the alerts have `{{ }}` of their own.
  await copyFile(join(root, 'deploy/monitoring/alerts.yml'), join(folder, 'alerts.yml'))
  await writeFile(join(folder, 'templates/prometheus-rule.yaml'), prometheusRule)
}

const valuesNote = `# The defaults of deploy/kubernetes. Create the five secrets of secret.example.yaml first, in the namespace of the release.
# image.digest replaces the tag. It is the same in every registry; image.repository is the name of the image in yours.
# monitoring.labels are those that your Prometheus selects its monitors and rules by.
`

function chartOf(version: string): object {
  const description = 'One way to run model generations, self-hosted'
  return { apiVersion: 'v2', name: 'atelier', description, type: 'application', version, appVersion: version, kubeVersion: '>=1.27.0-0' }
}

type Sources = { settings: string; ingress: string; backup: string }

type Naming = { version: string; named: NamedImage | undefined }

function chartValues({ settings, ingress, backup }: Sources, { version, named }: Naming): ChartValues {
  const { data } = parse(settings) as Settings
  const { ingressClassName, tls, rules } = (parse(ingress) as Ingress).spec
  const [, target = ''] = /"(s3:[^"]+)"/.exec(backup) ?? []
  return {
    image: { repository: named?.repository ?? 'atelier', tag: version, digest: named?.digest ?? '' },
    settings: data,
    ingress: { enabled: true, className: ingressClassName, host: rules[0].host, tlsSecret: tls[0].secretName },
    backup: { enabled: true, target },
    monitoring: { enabled: false, labels: {} },
  }
}

const image =
  '{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag }}{{ end }}'

/** Replaces the values in a manifest with template expressions of Helm. */
function templateOf(name: string, manifest: string, { ingress, backup, settings }: ChartValues): string {
  const text = withChecksum(manifest.replaceAll(/^( +)image: atelier$/gm, `$1image: "${image}"`))
  if (name === 'settings.yaml') return settingsTemplate(text, settings)
  if (name === 'migrate.yaml') return withHook(text, 0)
  if (name === 'backup.yaml')
    return onlyIf('.Values.backup.enabled', text.replaceAll(`"${backup.target}"`, '{{ .Values.backup.target | quote }}'))
  if (name === 'pod-monitor.yaml') return withMonitoring(text)
  if (name !== 'ingress.yaml') return text
  const filled = text
    .replaceAll(`ingressClassName: ${ingress.className}`, 'ingressClassName: {{ .Values.ingress.className }}')
    .replaceAll(ingress.host, '{{ .Values.ingress.host }}')
    .replaceAll(`secretName: ${ingress.tlsSecret}`, 'secretName: {{ .Values.ingress.tlsSecret }}')
  return onlyIf('.Values.ingress.enabled', filled)
}

/** Rendered with `monitoring.enabled`, and with `monitoring.labels` after the labels of the manifest. */
function withMonitoring(manifest: string): string {
  const labels = '{{- range $name, $value := .Values.monitoring.labels }}\n    {{ $name }}: {{ $value | quote }}\n{{- end }}'
  const withLabels = manifest.replace(/^ {2}labels: \{ ([^}]+?) \}\n/m, (_, own: string) => `  labels:\n    ${own}\n${labels}\n`)
  return onlyIf('.Values.monitoring.enabled', withLabels)
}

const prometheusRule = withMonitoring(`apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: atelier
  labels: { app.kubernetes.io/name: atelier }
spec:
{{ .Files.Get "alerts.yml" | indent 2 }}
`)

/** Changed settings must replace the pods: a pod reads its settings only at its start. */
function withChecksum(manifest: string): string {
  if (!/^kind: Deployment$/m.test(manifest)) return manifest
  const checksum = '{ checksum/settings: "{{ .Values.settings | toJson | sha256sum }}" }'
  return manifest.replaceAll(/^( +)template:\n +metadata:\n/gm, `$&$1    annotations: ${checksum}\n`)
}

function onlyIf(condition: string, text: string): string {
  return `{{- if ${condition} }}\n${text.trimEnd()}\n{{- end }}\n`
}

/** Numbers of a values file are floats, which `quote` alone writes as 1e+06. */
const settingText = '{{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}'

function settingsTemplate(manifest: string, settings: Record<string, string>): string {
  const head = manifest.slice(0, manifest.indexOf('\ndata:\n'))
  if (Object.keys(settings).length === 0) throw new Error('settings.yaml has no settings')
  const hook =
    '  annotations: { helm.sh/hook: "pre-install,pre-upgrade,pre-rollback", helm.sh/hook-weight: "-10", helm.sh/hook-delete-policy: before-hook-creation }'
  return `${head.replace(/^metadata:\n/m, `metadata:\n${hook}\n`)}\ndata:\n{{- range $name, $value := .Values.settings }}\n  {{ $name }}: ${settingText}\n{{- end }}\n`
}

/** Applies a manifest before each installation and upgrade, which replaces it and waits for it: a Job cannot be changed. */
function withHook(manifest: string, weight: number): string {
  const hook = `  annotations: { helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-weight: "${weight}", helm.sh/hook-delete-policy: before-hook-creation }`
  return manifest.replace(/^metadata:\n/m, `metadata:\n${hook}\n`)
}
