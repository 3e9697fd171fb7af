import pg from 'pg'
import { billingFamilies } from '../billing/billingCatalog.ts'
import { serviceToken } from '../chaos/serviceProcess.ts'
import type { OutageDeployment } from './outageDeployment.ts'

const leaked: pg.Client[] = []

/** Opens connections until PostgreSQL refuses one, like a tool that never closes its connections. */
export async function leakConnections({ cluster }: OutageDeployment): Promise<void> {
  for (;;) {
    const client = new pg.Client({ host: '127.0.0.1', port: cluster.port, user: 'atelier', database: 'atelier' })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      return
    }
    leaked.push(client)
  }
}

/** Restarts both processes, with these settings besides their own. */
export async function restart(deployment: OutageDeployment, env: Record<string, string> = {}): Promise<void> {
  await Promise.all([deployment.serve.stop(), deployment.work.stop()])
  await deployment.serve.start(env)
  await startWork(deployment, env)
}

export const startWork = (deployment: OutageDeployment, env: Record<string, string> = {}) =>
  deployment.work.start({ METRICS_PORT: String(deployment.work.port), ...env })

/** Unlocks the family of the vendor. */
export async function unlock({ serve }: OutageDeployment): Promise<void> {
  const query = `mutation { setFamilyAvailability(input: { familyId: "${billingFamilies.synchronous}", available: true }) { id } }`
  const response = await fetch(`http://127.0.0.1:${serve.port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${serviceToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"')) throw new Error(text)
}

/** Changes the settings of later starts and commands. */
export async function setEnv({ env }: OutageDeployment, changes: Record<string, string>): Promise<void> {
  Object.assign(env, changes)
}

/** Closes the connections of {@link leakConnections}. */
export function closeLeaked(): Promise<unknown> {
  return Promise.all(leaked.splice(0).map((client) => client.end()))
}
