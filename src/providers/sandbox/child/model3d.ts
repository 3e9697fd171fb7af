import { writeFile } from 'node:fs/promises'
import type { Model3dOrder } from '../renderOrder.ts'
import { captionSvg } from './caption.ts'
import { collage } from './collage.ts'
import { glbOf } from './glb.ts'
import { objOf } from './obj.ts'
import { paletteOf } from './palette.ts'
import { makeRandom } from './random.ts'
import { draw, fromPixels, type Pixels, toPixels } from './raster.ts'
import { sceneSvg } from './scene.ts'
import { sculpture } from './sculpture.ts'
import { titleOf } from './title.ts'

const textureSize = { width: 1024, height: 512 }

/** Makes a sculpture whose form follows from the prompt and the seed, wrapped in a picture that shows the prompt or the inputs. */
export async function renderModel3d(order: Model3dOrder, resultPath: string): Promise<void> {
  const mesh = sculpture(makeRandom('form', order.prompt, order.seed))
  const texture = await textureOf(order)
  const name = titleOf(order.prompt) || 'sculpture'
  if (order.format === 'obj') {
    await writeFile(resultPath, objOf(mesh, { texture, name }))
    return
  }
  const picture = await fromPixels(texture).jpeg({ quality: 85 }).toBuffer()
  await writeFile(resultPath, await glbOf(mesh, { texture: picture, name }))
}

/** The prompt stands twice along the equator, so that it is seen from either side. */
async function textureOf(order: Model3dOrder): Promise<Pixels> {
  const { width, height } = textureSize
  const palette = paletteOf(order.prompt)
  const random = makeRandom('texture', order.prompt, order.seed)
  const caption = captionSvg(order, { width: width / 2, height: height * 0.65 }, palette).svg
  const captions = `${caption}<g transform="translate(${width / 2} 0)">${caption}</g>`
  if (order.inputs.length === 0)
    return toPixels(draw(sceneSvg({ ...textureSize, palette, random }, 'medium') + captions, textureSize), { alpha: false })
  const background = await collage(order.inputs.slice(0, 3), textureSize, order.imageLimits)
  const layer = await toPixels(draw(captions, textureSize), { alpha: true })
  return toPixels(fromPixels(background).composite([{ input: layer.data, raw: { width, height, channels: 4 } }]), { alpha: false })
}
