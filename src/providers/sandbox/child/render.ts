import type { RenderTask } from '../renderTask.ts'

/** Renders a task into `resultPath`. The modules of a kind are loaded on first use. */
export async function render(task: RenderTask, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
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
      return (await import('./audio/renderSound.ts')).renderSound(task, paths.resultPath)
    case 'retexture':
      return (await import('./model3d/retextureModel.ts')).retextureModel(task, paths.resultPath)
    case 'model3d':
      return (await import('./model3d/renderModel3d.ts')).renderModel3d(task, paths.resultPath)
  }
}
