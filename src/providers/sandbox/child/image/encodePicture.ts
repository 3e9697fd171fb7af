import type { Sharp } from 'sharp'
import type { ImageTask } from '../../renderTask.ts'

/** The picture as a file of the format. JPEG shows black where the picture is transparent. */
export function encodePicture(picture: Sharp, format: ImageTask['format']): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 6 })
    case 'jpeg':
      return picture.flatten().jpeg({ quality: 90 })
    case 'webp':
      return picture.webp({ quality: 88, effort: 2 })
  }
}
