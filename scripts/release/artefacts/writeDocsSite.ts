import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import Fastify from 'fastify'
import { docsRoutes } from '../../../src/http/docs/docsRoutes.ts'
import { endpoints } from '../../../src/rest/endpoints.ts'
import { describe } from '../../../src/rest/openapi.ts'

/**
 * Writes the documentation site as files into `folder`, for a web server without the service: `/docs` becomes `docs/index.html`.
 * `origin`: the address in the examples. A page has its content security policy as an element, since no service sends the header.
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
    const { statusCode, rawPayload, headers } = await app.inject(path)
    if (statusCode !== 200) throw new Error(`${path} is answered with ${statusCode}`)
    const file = join(folder, extname(path) === '' ? join(path, 'index.html') : path)
    await mkdir(dirname(file), { recursive: true })
    const policy = headers['content-security-policy']
    await writeFile(file, typeof policy === 'string' ? withPolicy(rawPayload.toString(), policy) : rawPayload)
  }
  const start = '<!doctype html><meta charset="utf-8"><title>Atelier</title><meta http-equiv="refresh" content="0; url=/docs/guides/">\n'
  await writeFile(join(folder, 'index.html'), withPolicy(start, "default-src 'none'"))
  await app.close()
}

/** Browsers ignore `frame-ancestors` in an element, and apply a policy only to what follows it. */
function withPolicy(html: string, policy: string): string {
  const content = policy
    .split('; ')
    .filter((directive) => !directive.startsWith('frame-ancestors'))
    .join('; ')
  const charset = '<meta charset="utf-8">'
  if (!html.includes(charset)) throw new Error('a page has no place for its content security policy')
  return html.replace(charset, () => `${charset}<meta http-equiv="Content-Security-Policy" content="${content}">`)
}
