import { modelLimits } from '../media/checkModel.ts'
import { stageModel } from '../media/modelScene.ts'
import { readFile } from './readFile.ts'
import { stillWidth } from './stills.ts'

const height = 240

/** Draws a 3D model from the side from which its viewer shows it first. */
export async function drawModel(path: string, { mimeType, bytesMax, signal }: { mimeType: string; bytesMax: number; signal: AbortSignal }) {
  const content = await readFile(path, { bytesMax, signal })
  const canvas = document.createElement('canvas')
  const { renderer, scene, camera, close } = await stageModel(canvas, { content, mimeType, limits: modelLimits.preview })
  try {
    signal.throwIfAborted()
    renderer.setSize(stillWidth, height, false)
    camera.aspect = stillWidth / height
    camera.lookAt(0, 0, 0)
    camera.updateProjectionMatrix()
    renderer.render(scene, camera)
    return canvas.toDataURL('image/webp', 0.85)
  } finally {
    close()
    // Browsers allow a page few contexts, and drop the oldest one, which may be the viewer's.
    renderer.forceContextLoss()
  }
}
