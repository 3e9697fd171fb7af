import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where throw-away data of a test run goes: memory when the machine offers it, else the folder for temporary files. */
export function memoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
