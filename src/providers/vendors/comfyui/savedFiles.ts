import { extname } from 'node:path'
import type { Json } from '../../../contract/json.ts'
import type { OutputType } from '../../../contract/shapes/outputTypes.ts'
import { type FormatName, mediaFormats } from '../../../media/mediaFormats.ts'
import { isObject } from '../../connector/jsonPath.ts'
import type { Output } from '../../provider.ts'
import type { ComfyuiSettings } from './comfyuiSettings.ts'

/** A file that a node wrote, with the parameters of `GET /view`. */
export type SavedFile = { filename: string; subfolder: string; type: string }

const formatsByEnding = new Map<string, FormatName>([
  ...(Object.keys(mediaFormats) as FormatName[]).map((name): [string, FormatName] => [`.${name}`, name]),
  ['.jpg', 'jpeg'],
  ['.opus', 'ogg'],
])

/**
 * Returns the files of the output nodes, typed by their names. Files of another medium are left out, and so are previews when a file was
 * saved. The list that contains a file does not show its type: videos are in the list of images.
 */
export function toOutputs(byNode: { [id: string]: Json }, { outputs }: ComfyuiSettings, outputType: OutputType): Output[] {
  const files = (outputs ?? Object.keys(byNode)).flatMap((id) => filesOf(byNode[id]))
  const saved = files.filter(({ type }) => type !== 'temp')
  return (saved.length > 0 ? saved : files).flatMap((file) => {
    const format = formatsByEnding.get(extname(file.filename).toLowerCase())
    if (format === undefined) return [{ data: file }]
    const { type, mimeType } = mediaFormats[format]
    return type === outputType ? [{ data: file, mimeType }] : []
  })
}

function filesOf(node: Json | undefined): SavedFile[] {
  const lists = isObject(node) ? Object.values(node).filter((list) => Array.isArray(list)) : []
  return lists.flat().flatMap((file) => {
    if (!isObject(file) || typeof file['filename'] !== 'string' || file['filename'] === '') return []
    return [{ filename: file['filename'], subfolder: text(file['subfolder'], ''), type: text(file['type'], 'output') }]
  })
}

function text(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

/** The path to download a file from. */
export function viewPath(file: SavedFile): string {
  return `/view?${new URLSearchParams(file).toString()}`
}
