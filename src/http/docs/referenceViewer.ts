import Fastify from 'fastify'

/**
 * Returns the script of the viewer, loaded at the first request because it is large. Its package exports it only through a route of a
 * Fastify plugin, whose page would violate our content security policy. The bare viewer package has 280 dependencies.
 */
export async function referenceViewer(): Promise<Buffer> {
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const stage = Fastify()
  await stage.register(viewer, { routePrefix: '/viewer', configuration: { url: '/unused' } })
  const { statusCode, rawPayload } = await stage.inject('/viewer/js/scalar.js')
  if (statusCode !== 200) throw new Error('the viewer plugin does not serve its script')
  return rawPayload
}
