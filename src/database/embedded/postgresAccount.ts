import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../databaseStartError.ts'

const run = promisify(execFile)

export type Account = { uid: number; gid: number }

/**
 * Returns the account that runs PostgreSQL; `undefined` for the current one. PostgreSQL refuses root. As root, this is the owner of the
 * existing cluster, else `postgres`, else `nobody`; no account is created. A cluster that root restored from a backup is given to the
 * account first. Throws {@link DatabaseStartError} if the cluster belongs to another user, or no account exists.
 */
export async function postgresAccount(cluster: string): Promise<Account | undefined> {
  const own = process.getuid?.()
  const owner = await stat(cluster).catch(() => undefined)
  if (own !== 0) {
    if (owner === undefined || owner.uid === own) return undefined
    throw new DatabaseStartError(`${cluster} belongs to user id ${owner.uid}: start as that user or as root`)
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }

  const account = (await accountNamed('postgres')) ?? (await accountNamed('nobody'))
  if (account === undefined) {
    throw new DatabaseStartError(
      'PostgreSQL does not run as root, and the accounts postgres and nobody do not exist: start as another user',
    )
  }
  if (owner !== undefined) await run('chown', ['-R', `${account.uid}:${account.gid}`, cluster])
  return account
}

async function accountNamed(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}
