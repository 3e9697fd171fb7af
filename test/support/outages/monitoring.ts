import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serviceToken } from '../chaos/serviceProcess.ts'
import { freePort } from '../processes/freePort.ts'
import { relayStderr } from '../processes/relayStderr.ts'

type Watched = { serve: number; work: number; dataFolder: string; certificate(): Date }

/** The program of the Debian package. */
const program = 'prometheus'
const rulesPath = new URL('../../../deploy/monitoring/alerts.yml', import.meta.url).pathname

/** Starts Prometheus with the rules of deploy/monitoring, with a `for` of 2 s and rates over 20 s, so that an alert fires soon. */
export async function startMonitoring(folder: string, watched: Watched): Promise<{ firing(): Promise<string[]>; close(): Promise<void> }> {
  const exporter = await startExporter(watched)
  const rules = await readFile(rulesPath, 'utf8')
  await writeFile(join(folder, 'alerts.yml'), rules.replaceAll(/for: \w+/g, 'for: 2s').replaceAll(/\[\d+m\]/g, '[20s]'))
  await writeFile(join(folder, 'prometheus.yml'), configuration(folder, watched, exporter.port))
  const port = await freePort()
  const paths = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'series')}`]
  const options = [...paths, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error']
  const prometheus = relayStderr(spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } }))
  return {
    async firing() {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined)
      if (response?.status !== 200) return []
      const { data } = (await response.json()) as { data: { alerts: { labels: { alertname: string }; state: string }[] } }
      return [...new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname))]
    },
    async close() {
      prometheus.kill('SIGTERM')
      await once(prometheus, 'exit')
      exporter.close()
    },
  }
}

/** Reads the `for` of an alert rule, such as `5m`. */
export async function readAlertFor(name: string): Promise<string> {
  const rules = await readFile(rulesPath, 'utf8')
  const [rule = ''] = rules.split(/^ +- alert: /m).filter((each) => each.startsWith(`${name}\n`))
  return /^ +for: (\w+)$/m.exec(rule)?.[1] ?? '0s'
}

/** Replaces node_exporter and the blackbox exporter, which the rules for disk and certificate need. */
async function startExporter({ dataFolder, certificate }: Watched) {
  const server = createServer(async (_request, response) => {
    const { bavail, blocks, bsize } = await statfs(dataFolder)
    const labels = `{fstype="ext4",mountpoint="${dataFolder}"}`
    response.end(
      `node_filesystem_avail_bytes${labels} ${bavail * bsize}\nnode_filesystem_size_bytes${labels} ${blocks * bsize}\n` +
        `probe_ssl_earliest_cert_expiry ${certificate().getTime() / 1000}\n`,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

function configuration(folder: string, { serve, work }: Watched, exporter: number): string {
  return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [${join(folder, 'alerts.yml')}]
scrape_configs:
  - { job_name: atelier-serve, authorization: { credentials: ${serviceToken} }, static_configs: [{ targets: ['127.0.0.1:${serve}'] }] }
  - { job_name: atelier-work, static_configs: [{ targets: ['127.0.0.1:${work}'] }] }
  - { job_name: node, static_configs: [{ targets: ['127.0.0.1:${exporter}'] }] }
`
}
