import type { RenderTask } from '../renderTask.ts'

/** Renders a task into `resultPath`. The modules of a kind are loaded on first use. */
export async function render(task: RenderTask, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
  switch (task.kind) {
    case 'image':
      return (await import('./image/renderImage.ts')).renderImage(task, paths.resultPath)
    case 'video':
      return (await import('./video/renderVideo.ts')).renderVideo(task, paths)
    case 'audio':
      return (await import('./audio/renderAudio.ts')).renderAudio(task, paths)
    case 'model3d':
      return (await import('./model3d/renderModel3d.ts')).renderModel3d(task, paths.resultPath)
  }
}
