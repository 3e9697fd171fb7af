import Fastify from 'fastify'

/**
 * The script of the viewer. Its package hands it out only through a route of its own plugin, whose page would not pass our content
 * security policy; the bare viewer would bring 280 packages. Loaded when it is first asked for, since it is large.
 */
export async function referenceViewer(): Promise<Buffer> {
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const stage = Fastify()
  await stage.register(viewer, { routePrefix: '/viewer', configuration: { url: '/unused' } })
  const { statusCode, rawPayload } = await stage.inject('/viewer/js/scalar.js')
  if (statusCode !== 200) throw new Error('the viewer does not hand out its script')
  return rawPayload
}
