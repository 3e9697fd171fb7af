import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Machine } from '../machine/bootMachine.ts'
import { awaitReady } from './awaitReady.ts'
import type { Deployment, Settings } from './deployment.ts'
import { writeCatalog } from './externalServices.ts'
import type { ReleaseArchive } from './releaseArchives.ts'

type Options = {
  machine: Machine
  settings: Settings
  /** The network namespace that reaches the registry of npm, and variables for npm. */
  npm: { network: string; env: Record<string, string> }
}

const port = 8080
const [serve, work] = ['atelier-serve@main', 'atelier-work@1']
const password = 'of-the-drill'

/** The units of deploy/systemd on one machine, with Debian's PostgreSQL. */
export async function unitsDeployment({ machine, settings, npm }: Options): Promise<Deployment<ReleaseArchive>> {
  const { root } = machine
  const sh = async (command: string) => {
    try {
      return await machine.sh(command)
    } catch (error) {
      const journal = await machine.sh(`journalctl --no-pager -u 'atelier*' -n 40`).catch(() => '')
      throw new Error(`${command}\n${journal}`, { cause: error })
    }
  }
  const writeSettings = (database: string, more: Settings = {}) => {
    const all = { ...settings, ...more, DATABASE_URL: `postgresql://atelier:${password}@127.0.0.1/${database}` }
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`)
    return writeFile(join(root, 'etc/atelier/atelier.env'), lines.join(''))
  }
  const secret = { SECRET_KEY: Buffer.alloc(32, 5).toString('base64'), CATALOG_PATH: '/srv/catalog', BASE_URL: `http://127.0.0.1:${port}` }
  const unpack = async ({ archive, version }: ReleaseArchive) => {
    await copyFile(archive, join(root, 'root', basename(archive)))
    const command = `test -d /opt/atelier-${version}/node_modules || {
      tar -xzf /root/${basename(archive)} -C /opt && cd /opt/atelier-${version} && npm ci --omit=dev --prefer-offline --no-audit --no-fund; }`
    await machine.sh(command, npm)
    await sh(`ln -sfn /opt/atelier-${version} /opt/atelier`)
    await sh('cd /opt/atelier && cp deploy/systemd/*.service deploy/systemd/*.timer /etc/systemd/system/ && systemctl daemon-reload')
  }
  const restart = async () => {
    await sh(`systemctl restart ${serve}`)
    await awaitReady(port)
    await sh(`systemctl restart ${work}`)
  }
  return {
    name: 'units',
    port,
    async deploy(release) {
      await machine.boot()
      await sh(`runuser -u postgres -- psql -qc "create role atelier login createdb password '${password}'"`)
      await sh('runuser -u postgres -- createdb -O atelier atelier')
      await writeCatalog(join(root, 'srv/catalog'))
      await unpack(release)
      await sh('cd /opt/atelier && install -D -m 0644 deploy/systemd/atelier.sysusers /etc/sysusers.d/atelier.conf && systemd-sysusers')
      await sh('install -d -m 0750 /etc/atelier && install -m 0600 /dev/null /etc/atelier/atelier.env')
      await writeSettings('atelier', secret)
      await sh('systemctl daemon-reload && systemctl start atelier-migrate')
      await sh(`systemctl enable --now ${serve} ${work} atelier-doctor.timer`)
      await sh('install -d -o atelier -g atelier -m 0700 /var/backups/atelier && systemctl enable --now atelier-backup.timer')
      await awaitReady(port)
      await sh('systemctl start atelier-doctor')
    },
    async upgrade(release) {
      await unpack(release)
      await sh('systemctl enable --now atelier-verify.timer')
      await sh('systemctl start atelier-migrate')
      await restart()
    },
    async rollBack({ version }) {
      await sh(`ln -sfn /opt/atelier-${version} /opt/atelier`)
      await restart()
    },
    kills: [
      {
        words: 'SIGKILL of both units',
        kill: async () => void (await sh(`systemctl kill --signal=KILL ${serve} ${work}`)),
        async recover() {
          await awaitReady(port)
          const restarts = await sh(`systemctl show --property=NRestarts --value ${serve} ${work}`)
          if (!/^1\s+1$/.test(restarts)) throw new Error(`Restart= did not restart each unit once: ${restarts}`)
        },
      },
      {
        words: 'a power failure of the machine',
        kill: () => machine.cutPower(),
        async recover() {
          await machine.boot()
          await awaitReady(port)
        },
      },
    ],
    doctor: async () => void (await sh('systemctl start atelier-doctor')),
    async backup() {
      await sh('systemctl start atelier-backup')
      await sh(`${withSettings} backup --check --to /var/backups/atelier`)
      await sh('systemctl start atelier-verify')
    },
    async restore() {
      await sh(`systemctl stop ${serve} ${work}`)
      await sh('runuser -u postgres -- createdb -O atelier atelier_restored')
      await writeSettings('atelier_restored', { ...secret, STORAGE_URL: 'file:///var/lib/atelier/restored' })
      await sh(`${withSettings} restore --from /var/backups/atelier`)
      await sh(`systemctl start ${serve} ${work}`)
      await awaitReady(port)
      await sh(`${withSettings} backup --to /var/backups/atelier --take-over`)
      await sh('systemctl start atelier-backup && systemctl start atelier-verify')
    },
    close: () => machine.cutPower(),
  }
}

/** Runs a command of the service with its account and settings, as in docs/recovery.md. */
const withSettings =
  'systemd-run --pipe --wait --collect --uid=atelier --gid=atelier --working-directory=/opt/atelier ' +
  '-p EnvironmentFile=/etc/atelier/atelier.env -E DATA_DIR=/var/lib/atelier ' +
  '/opt/atelier/node_modules/.bin/node bin/atelier.js'
