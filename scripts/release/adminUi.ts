import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src/admin-ui')
const bundle = join(root, 'dist/admin-ui')
/** Files of other rooms that the admin UI imports (`.oxlintrc.json`). */
const sharedSources = ['src/media/preview/waveformBars.ts']
const base = '/integrations/'

/** The Vite configuration of the admin UI, for the bundle and for `npm run dev`. */
export const viteOptions: InlineConfig = {
  root: sources,
  base,
  configFile: false,
  publicDir: false,
  cacheDir: join(root, 'node_modules/.cache/admin-ui'),
  logLevel: 'warn',
  plugins: [react(), frameFirst(), colorSchemeFirst(), screenFirst(), preloadFont()],
}

/** `screens.ts` and its imports. They are in a file of their own, so that the first page loads without waiting for other code. */
const screenModules = /[\\/]((screens|paths|firstFrame|prefetchQueries|\w+Document)\.ts|preload-helper\.js)$/

/** Shared modules that the sign-in needs. In a file of their own, so that the sign-in loads no lists, menus and dialogs. */
const signInModules =
  /[\\/](api[\\/]session\.ts|layout[\\/]EntryCard\.tsx|core[\\/]esm[\\/]components[\\/](TextInput|PasswordInput|Divider|Paper)[\\/].*)$/

/** What `lazyMenus.ts` loads. */
const menuModules = /[\\/]shell[\\/](AccountMenu|ThemeMenu|StandingNotice|bell[\\/].*)\.(tsx?|css)$/

/**
 * A file for each module that two pages share would make 52 requests for the list of keys. What three pages share is in one file: a module
 * in it needs only modules that as many pages share, so that no files import each other.
 */
const output: Rolldown.OutputOptions = {
  codeSplitting: {
    groups: [
      { name: 'screens', test: screenModules, priority: 4 },
      // Everything else that the first page needs, except the entries, because the manifest names them.
      { name: 'first', tags: ['$initial'], test: (id) => !/[\\/](index\.html|main\.tsx|colorScheme\.ts)$/.test(id), priority: 3 },
      { name: 'fields', test: signInModules, priority: 2 },
      { name: 'shared', minShareCount: 3, priority: 1 },
      { name: 'menus', test: menuModules },
    ],
  },
  // By default the name of a shared file lists all pages that use it.
  sanitizeFileName: (name) => name.replace(/~[^.]*/, ''),
}

/** Builds the admin UI unless the bundle is current. Returns the milliseconds, 0 if there was nothing to do. */
export async function buildAdminUi(): Promise<number> {
  const startedAt = performance.now()
  const sourcesHash = await hashOfSources()
  if ((await readFile(join(bundle, 'sources.txt'), 'utf8').catch(() => '')) === sourcesHash) return 0
  // Built in another folder and moved at the end, so that a running service always has a complete bundle.
  const made = `${bundle}.${process.pid}`
  const environment = process.env['NODE_ENV']
  try {
    // Builds React for production; vitest or the caller may have set another value.
    process.env['NODE_ENV'] = 'production'
    await build({
      ...viteOptions,
      build: {
        outDir: made,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        sourcemap: false,
        reportCompressedSize: false,
        // test/gates/firstLoad.test.ts limits the size instead.
        chunkSizeWarningLimit: 2000,
        target: 'es2023',
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: { index: join(sources, 'index.html'), colorScheme: join(sources, 'colorScheme.ts'), screens: join(sources, 'screens.ts') },
          output,
        },
        manifest: 'manifest.json',
      },
    })
    await compressAssets(join(made, 'assets'))
    await writeFile(join(made, 'sources.txt'), sourcesHash)
    await swapFolder(made)
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = environment
    await rm(made, { recursive: true, force: true })
  }
  return Math.round(performance.now() - startedAt)
}

/** The styles and the small script of the first frame come before the code that all pages need, which is most of the bytes. */
function frameFirst(): Plugin {
  return {
    name: 'frame-first',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/<link rel="modulepreload"(?= crossorigin href="[^"]*\/first-)/, '$& fetchpriority="low"'),
    },
  }
}

/** Inserts the script that sets the colour scheme into the head of the page, so that it runs before the first paint. */
function colorSchemeFirst(): Plugin {
  return {
    name: 'color-scheme-first',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle: chunks }) => {
        const chunk = Object.values(chunks ?? {}).find((each) => each.type === 'chunk' && each.name === 'colorScheme')
        return [{ tag: 'script', attrs: { src: `${base}${chunk?.fileName ?? 'colorScheme.ts'}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

/**
 * Inserts the script that draws the first frame and loads the page of the address. It is async, so it does not wait for the code that all
 * pages need.
 */
function screenFirst(): Plugin {
  return {
    name: 'screen-first',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle: chunks }) => {
        const chunk = Object.values(chunks ?? {}).find((each) => each.type === 'chunk' && each.isEntry && each.name === 'screens')
        if (!chunk) return []
        return [
          {
            tag: 'script',
            attrs: { type: 'module', async: true, crossorigin: true, src: `${base}${chunk.fileName}` },
            injectTo: 'body',
          },
        ]
      },
    },
  }
}

/** Loads the font of the text beside the scripts. The browser would find it only after the styles. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle: files }) => {
        const font = Object.keys(files ?? {}).find((name) => /inter-latin-(?!ext|wght)[\w-]+\.woff2$/.test(name))
        if (font === undefined) return []
        const attrs = { rel: 'preload', href: `${base}${font}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

async function hashOfSources(): Promise<string> {
  const names = (await readdir(sources, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.includes('.generated.'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const hash = createHash('sha256')
  for (const name of [...names.toSorted(), ...sharedSources, relative(root, import.meta.filename), 'package-lock.json']) {
    hash.update(`${name}\0`).update(
      createHash('sha256')
        .update(await readFile(join(root, name)))
        .digest(),
    )
  }
  return hash.digest('hex')
}

async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg|json|wasm)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const content = await readFile(path)
      if (content.length < 1024) return
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
      await Promise.all([
        promisify(brotliCompress)(content, quality).then((packed) => writeFile(`${path}.br`, packed)),
        promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
      ])
    }),
  )
}

async function swapFolder(made: string): Promise<void> {
  const old = `${made}.old`
  await mkdir(join(root, 'dist'), { recursive: true })
  if (existsSync(bundle)) await rename(bundle, old)
  await rename(made, bundle)
  await rm(old, { recursive: true, force: true })
}
