import type { RenderOrder } from '../renderOrder.ts'

/** Renders one order into `resultPath`. What a kind needs is loaded when it is first asked for, and stays. */
export async function render(order: RenderOrder, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
  switch (order.kind) {
    case 'image':
      return (await import('./image.ts')).renderImage(order, paths.resultPath)
    case 'video':
      return (await import('./video.ts')).renderVideo(order, paths)
    case 'audio':
      return (await import('./audio.ts')).renderAudio(order, paths)
    case 'model3d':
      return (await import('./model3d.ts')).renderModel3d(order, paths.resultPath)
  }
}
