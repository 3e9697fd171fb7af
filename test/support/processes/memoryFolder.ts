import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'

/** The folder for temporary data of a test run: in memory if possible. */
export function memoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
