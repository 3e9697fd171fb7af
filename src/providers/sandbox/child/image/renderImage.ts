import type { ImageTask } from '../../renderTask.ts'
import { makeRandom } from '../random.ts'
import { captionSvg } from './captionSvg.ts'
import { collage } from './collage.ts'
import { encodePicture } from './encodePicture.ts'
import { hex, paletteOf } from './palette.ts'
import { draw, fromPixels, toPixels } from './raster.ts'
import { type Richness, sceneSvg } from './sceneSvg.ts'

const richnessOf: Record<ImageTask['version'], Richness> = { draft: 'plain', standard: 'medium', pro: 'rich' }

/** Draws the prompt as a picture of exactly the requested size, over the input images if there are any. */
export async function renderImage(task: ImageTask, resultPath: string): Promise<void> {
  const { width, height } = task
  const palette = paletteOf(task.prompt)
  const random = makeRandom('image', task.prompt, task.seed, task.version)
  const caption = captionSvg(task, task, palette).svg
  if (task.inputs.length === 0) {
    const scene = sceneSvg({ width, height, palette, random }, richnessOf[task.version])
    await encodePicture(draw(scene + caption, task), task.format).toFile(resultPath)
    return
  }
  const background = await collage(task.inputs, task, task.imageLimits)
  const veil = veilSvg(palette.accents.map(hex), { x: random.unit(), y: random.unit() })
  const overlay = await toPixels(draw(veil + caption, task), { alpha: true })
  const layer = { input: overlay.data, raw: { width, height, channels: 4 as const } }
  await encodePicture(fromPixels(background).composite([layer]), task.format).toFile(resultPath)
}

/** A thin coloured overlay, so that the result differs from the inputs. */
function veilSvg(colours: string[], centre: { x: number; y: number }): string {
  const stops = colours.map((colour, index) => `<stop offset="${index / 2}" stop-color="${colour}" stop-opacity="${0.3 - index * 0.1}"/>`)
  return `<radialGradient id="veil" cx="${centre.x.toFixed(3)}" cy="${centre.y.toFixed(3)}" r="0.9">${stops.join('')}</radialGradient><rect width="100%" height="100%" fill="url(#veil)"/>`
}
