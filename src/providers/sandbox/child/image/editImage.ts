import type { Sharp } from 'sharp'
import type { EditTask } from '../../renderTask.ts'
import { requiredInput } from '../inputRefused.ts'
import { makeRandom } from '../random.ts'
import { encodePicture } from './encodePicture.ts'
import { paletteOf } from './palette.ts'
import { draw, fromPixels, type Pixels, readInputImage, readWholeImage, toPixels } from './raster.ts'
import { sceneSvg } from './sceneSvg.ts'

/** Writes the edited first input image. Throws `InputRefused` for a missing or unusable input. */
export async function editImage(task: EditTask, resultPath: string): Promise<void> {
  const source = await readWholeImage(requiredInput(task.inputs, 0), task.imageLimits)
  const edited = await edits[task.tool](source, task)
  await encodePicture(edited, task.format).toFile(resultPath)
}

const edits: Record<EditTask['tool'], (source: Pixels, task: EditTask) => Promise<Sharp>> = {
  inpaint,
  upscale: async (source) => fromPixels(source).resize({ width: source.width * 2, height: source.height * 2, kernel: 'lanczos3' }),
  cutout: async (source) => fromPixels(cutOut(source)),
}

/** Draws the prompt where the mask, the second input, is white. The mask fills the image and is cropped when its shape differs. */
async function inpaint(source: Pixels, task: EditTask): Promise<Sharp> {
  const { width, height } = source
  const mask = await readInputImage(requiredInput(task.inputs, 1), source, task.imageLimits)
  const random = makeRandom('inpaint', task.prompt, task.seed)
  const scene = await toPixels(draw(sceneSvg({ width, height, palette: paletteOf(task.prompt), random }, 'medium'), source), {
    alpha: true,
  })
  for (let at = 0; at < width * height; at += 1) {
    const [red, green, blue] = [mask.data[at * 3] ?? 0, mask.data[at * 3 + 1] ?? 0, mask.data[at * 3 + 2] ?? 0]
    scene.data[at * 4 + 3] = Math.round((red + green + blue) / 3)
  }
  return fromPixels(source).composite([{ input: scene.data, raw: { width, height, channels: 4 } }])
}

/** A colour this near to the background is transparent, and twice as far away opaque. */
const nearColour = 32

/** Makes pixels transparent whose colour is near to the mean of the four corners. */
function cutOut(source: Pixels): Pixels {
  const { width, height } = source
  const data = Buffer.from(source.data)
  const corners = [0, width - 1, width * (height - 1), width * height - 1]
  const background = [0, 1, 2].map((part) => corners.reduce((sum, at) => sum + (data[at * 4 + part] ?? 0), 0) / corners.length)
  for (let at = 0; at < data.length; at += 4) {
    const distance = Math.hypot(...background.map((value, part) => (data[at + part] ?? 0) - value))
    const opacity = Math.min(1, Math.max(0, distance / nearColour - 1))
    data[at + 3] = Math.round((data[at + 3] ?? 0) * opacity)
  }
  return { ...source, data }
}
