/** A release. Each deployment adds the files that it installs. */
export type Release = { version: string }

/** A deployment that a drill operates with the commands of docs/deployment.md and docs/recovery.md. */
export type Deployment<R extends Release = Release> = {
  name: string
  /** The port of the API, also after an upgrade or a restore. */
  port: number
  /** Installs the first release and starts it. */
  deploy(release: R): Promise<void>
  /** Replaces the running release by a newer one. */
  upgrade(release: R): Promise<void>
  /** Replaces the running release by an older one, which is installed already. */
  rollBack(release: R): Promise<void>
  kills: readonly Kill[]
  /** Checks the deployment; throws on a fault. */
  doctor(): Promise<void>
  /** Makes a backup, checks it, and proves it with a trial restore. */
  backup(): Promise<void>
  /** Stops the service, restores the backup into a new database and a new storage, and starts the service on them. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** Kills all processes at once. `recover` resolves when the service is ready again. */
export type Kill = { words: string; kill(): Promise<void>; recover(): Promise<void> }

/** Settings of a deployment, beside its database and storage. */
export type Settings = Record<string, string>
