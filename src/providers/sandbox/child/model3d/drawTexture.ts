import type { Model3dTask } from '../../renderTask.ts'
import { captionSvg } from '../image/captionSvg.ts'
import { collage } from '../image/collage.ts'
import { paletteOf } from '../image/palette.ts'
import { draw, fromPixels, type Pixels, toPixels } from '../image/raster.ts'
import { sceneSvg } from '../image/sceneSvg.ts'
import { makeRandom } from '../random.ts'

const textureSize = { width: 1024, height: 512 }

type TextureTask = Omit<Model3dTask, 'kind' | 'format'>

/** The prompt appears twice along the equator, so that it is visible from both sides. All inputs are images. */
export async function drawTexture(task: TextureTask): Promise<Pixels> {
  const { width, height } = textureSize
  const palette = paletteOf(task.prompt)
  const random = makeRandom('texture', task.prompt, task.seed)
  const caption = captionSvg(task, { width: width / 2, height: height * 0.65 }, palette).svg
  const captions = `${caption}<g transform="translate(${width / 2} 0)">${caption}</g>`
  if (task.inputs.length === 0)
    return toPixels(draw(sceneSvg({ ...textureSize, palette, random }, 'medium') + captions, textureSize), { alpha: false })
  const background = await collage(task.inputs.slice(0, 3), textureSize, task.imageLimits)
  const layer = await toPixels(draw(captions, textureSize), { alpha: true })
  return toPixels(fromPixels(background).composite([{ input: layer.data, raw: { width, height, channels: 4 } }]), { alpha: false })
}
