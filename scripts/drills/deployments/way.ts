/** A release; ways need more of it. */
export type Release = { version: string }

/** One way to run a release. Each function does what docs/deployment.md and docs/recovery.md tell an operator to type. */
export type Way<R extends Release = Release> = {
  name: string
  /** The port of the API, also after an upgrade or a restore. */
  port: number
  /** Installs a release on the empty machine and starts it. */
  deploy(release: R): Promise<void>
  /** Replaces the running release by the next one. */
  upgrade(release: R): Promise<void>
  /** Replaces it by the previous one, which was installed before. */
  rollBack(release: R): Promise<void>
  kills: readonly Kill[]
  /** Checks the deployment; throws on a fault. */
  doctor(): Promise<void>
  /** Makes a backup, checks it and proves it. */
  backup(): Promise<void>
  /** Stops the service, restores the backup into a new database and a new storage, and starts the service on them. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** An end of all processes at once, without a warning. `recover` resolves when the service is being started again. */
export type Kill = { words: string; kill(): Promise<void>; recover(): Promise<void> }

/** Settings of a deployment, beside its database and storage. */
export type Settings = Record<string, string>
