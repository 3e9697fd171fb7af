import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresAccount } from '../../../src/database/embedded/postgresAccount.ts'
import { postgresBinaries } from '../../../src/database/embedded/postgresBinaries.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'

const run = promisify(execFile)

/** PostgreSQL's programs; `baseBackup` only where the server's own tools are installed beside it. */
export type PostgresPrograms = {
  initdb: string
  postgres: string
  baseBackup: string | undefined
  major: number
  account: { uid: number; gid: number } | undefined
}

/** Features of this machine for the faults; a text is the reason why one is missing. */
export type Machine = {
  postgres: PostgresPrograms
  /** Mounting small file systems. */
  mounts: boolean
  /** The library that moves the wall clock of a process and leaves its monotonic one. */
  fakeTime: string | undefined
  ceph: boolean
}

export async function probeMachine(): Promise<Machine> {
  const [postgres, mounts, fakeTime] = await Promise.all([findPostgres(), tryMount(), findFakeTime()])
  const commands = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph']
  return { postgres, mounts, fakeTime, ceph: commands.every((command) => existsSync(join('/usr/bin', command))) }
}

async function findPostgres(): Promise<PostgresPrograms> {
  const debian = '/usr/lib/postgresql'
  const majors = (await readdir(debian).catch(() => [])).toSorted((left, right) => Number(left) - Number(right))
  const folder = majors.map((major) => join(debian, major, 'bin')).find((bin) => existsSync(join(bin, 'pg_basebackup')))
  return { ...(await postgresIn(folder)), baseBackup: folder && join(folder, 'pg_basebackup') }
}

/** The PostgreSQL programs in a folder, or those of the package. */
export async function postgresIn(folder: string | undefined): Promise<PostgresPrograms> {
  const account = await postgresAccount('/nonexistent')
  return { ...(await postgresBinaries({ account, ownFolder: '/nonexistent', programs: folder })), baseBackup: undefined, account }
}

async function tryMount(): Promise<boolean> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-mount-'))
  try {
    await mountSmall(folder, 1)
    await unmount(folder)
    return true
  } catch {
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Mounts a file system in memory at `folder`, with the given MiB. */
export async function mountSmall(folder: string, megabytes: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'atelier-chaos', folder])
}

/** Lazily: open files stay usable. */
export async function unmount(folder: string): Promise<void> {
  await run('umount', ['-l', folder])
}

const filler = 'filler'

/** Fills the file system of `folder` completely. */
export async function fillDisk(folder: string): Promise<void> {
  const file = await open(join(folder, filler), 'a')
  try {
    for (const bytes of [2 ** 20, 2 ** 12]) while (await hasTaken(file, bytes));
  } finally {
    await file.close()
  }
}

async function hasTaken(file: FileHandle, bytes: number): Promise<boolean> {
  try {
    return (await file.write(Buffer.alloc(bytes))).bytesWritten === bytes
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOSPC') return false
    throw error
  }
}

export async function emptyDisk(folder: string): Promise<void> {
  await rm(join(folder, filler), { force: true })
}

/** The environment of a process whose wall clock is off by `seconds` from when it starts. */
export function wrongClock(library: string, seconds: number): Record<string, string> {
  const offset = `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`
  return { LD_PRELOAD: library, FAKETIME: offset, DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

/** Checked with Node: its wall clock must be wrong, its timers must not. */
async function findFakeTime(): Promise<string | undefined> {
  const probe = `const wall = Date.now(); const begun = process.hrtime.bigint()
    setTimeout(() => console.log(JSON.stringify({ wall, tookMs: Number(process.hrtime.bigint() - begun) / 1e6 })), 50)`
  for (const library of [
    '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
    '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  ]) {
    if (!existsSync(library)) continue
    const env = { PATH: process.env['PATH'], ...wrongClock(library, 3600) }
    const { stdout } = await run(process.execPath, ['-e', probe], { env, timeout: 20_000 }).catch(() => ({ stdout: '{}' }))
    const { wall = 0, tookMs = 0 } = JSON.parse(stdout) as { wall?: number; tookMs?: number }
    if (Math.abs(wall - Date.now() - 3_600_000) < 60_000 && tookMs > 40 && tookMs < 10_000) return library
  }
  return undefined
}
