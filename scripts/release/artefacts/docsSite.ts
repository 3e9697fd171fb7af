import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import Fastify from 'fastify'
import { docsRoutes } from '../../../src/http/docs/docsRoutes.ts'
import { endpoints } from '../../../src/rest/endpoints.ts'
import { describe } from '../../../src/rest/openapi.ts'

/**
 * Writes the documentation site as files into `folder`, for a web server without the service: `/docs` becomes `docs/index.html`.
 * `origin`: the address in the examples.
 */
export async function writeDocsSite(
  folder: string,
  { root, version, origin }: { root: string; version: string; origin: string },
): Promise<void> {
  const document = describe(
    endpoints(() => undefined),
    { publicUrl: origin, version },
  )
  const { plugin, paths } = docsRoutes(document, { open: true, publicUrl: origin, count: async () => undefined, root })
  const app = Fastify()
  await app.register(plugin)
  for (const { path } of paths) {
    const { statusCode, rawPayload } = await app.inject(path)
    if (statusCode !== 200) throw new Error(`${path} is answered with ${statusCode}`)
    const file = join(folder, extname(path) === '' ? join(path, 'index.html') : path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, rawPayload)
  }
  const start = '<!doctype html><meta charset="utf-8"><title>Atelier</title><meta http-equiv="refresh" content="0; url=/docs/guides/">\n'
  await writeFile(join(folder, 'index.html'), start)
  await app.close()
}
