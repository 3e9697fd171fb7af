import type { RenderResult, RenderTask } from '../renderTask.ts'
import { draw } from './image/raster.ts'
import { InputRefused } from './inputRefused.ts'

/** The first text loads the fonts, so a worker is ready only after it. */
await draw('<text y="9" font-family="DejaVu Sans">a</text><text y="9" font-family="DejaVu Sans" font-weight="bold">b</text>', {
  width: 16,
  height: 16,
})
  .raw()
  .toBuffer()

/** Runs one task in a worker of the sandbox. Writes to the file `result` in the folder of the worker. */
export async function work(task: RenderTask): Promise<RenderResult> {
  try {
    await render(task, { resultPath: 'result', scratchFolder: '.' })
    return { kind: 'rendered' }
  } catch (error) {
    if (error instanceof InputRefused) return { kind: 'refused', failure: error.failure }
    throw error
  }
}

/** Renders a task into `resultPath`. The modules of a kind are loaded on first use. */
async function render(task: RenderTask, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
  switch (task.kind) {
    case 'image':
      return (await import('./image/renderImage.ts')).renderImage(task, paths.resultPath)
    case 'edit':
      return (await import('./image/editImage.ts')).editImage(task, paths.resultPath)
    case 'video':
      return (await import('./video/renderVideo.ts')).renderVideo(task, paths)
    case 'videoTool':
      return (await import('./video/editVideo.ts')).editVideo(task, paths.resultPath)
    case 'audio':
      return (await import('./audio/renderAudio.ts')).renderAudio(task, paths)
    case 'sound':
      return (await import('./audio/renderAudio.ts')).renderSound(task, paths.resultPath)
    case 'retexture':
      return (await import('./model3d/retextureModel.ts')).retextureModel(task, paths.resultPath)
    case 'model3d':
      return (await import('./model3d/renderModel3d.ts')).renderModel3d(task, paths.resultPath)
  }
}
