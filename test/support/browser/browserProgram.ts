import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const root = join(import.meta.dirname, '../../..')
const packed = join(dirname(require.resolve('@sparticuz/chromium')), '..')
const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { version: string }
const folder = join(root, 'node_modules/.cache', `chromium-${version}-${process.arch}`)

/** An installed Chrome or Chromium, for platforms without one in the package. */
const installed = process.env['TEST_CHROMIUM']

/** The unpacked Chromium, with libraries and fonts that a minimal machine lacks. */
export const browserProgram = {
  executablePath: installed ?? join(folder, 'chromium'),
  env: {
    HOME: folder,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  },
}

/**
 * Unpacks the Chromium of the npm package, once for each version. It unpacks into a temporary folder and renames that, so that concurrent
 * runs see all of it or nothing.
 */
export async function unpackBrowser(): Promise<void> {
  if (installed !== undefined || existsSync(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const temporary = await mkdtemp(`${folder}-`)
  try {
    await inflateInto(temporary)
    await mkdir(join(temporary, 'letters'))
    const letters = join(root, 'node_modules/dejavu-fonts-ttf/ttf')
    for (const name of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf', 'DejaVuSansMono.ttf'])
      await copyFile(join(letters, name), join(temporary, 'letters', name))
    await writeFile(join(temporary, 'fonts.conf'), fontsConfiguration)
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The package unpacks into TMPDIR. It unpacks its libraries only on AWS Lambda, which a variable simulates. */
async function inflateInto(temporary: string): Promise<void> {
  const names = ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'FONTCONFIG_PATH', 'HOME', 'LD_LIBRARY_PATH']
  const before = names.map((name) => [name, process.env[name]] as const)
  try {
    process.env['TMPDIR'] = temporary
    process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs24.x'
    const { default: chromium } = await import('@sparticuz/chromium')
    await chromium.executablePath(join(packed, 'bin'))
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** Only our own fonts, so that screenshots are the same on every machine. */
const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">letters</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`
