import { createHash } from 'node:crypto'
import { tinyPng } from '../vendor/tinyPng.ts'

/** The image of a prompt: the same bytes each time, different for each prompt. */
export function pictureFor(prompt: string): Buffer {
  return tinyPng(createHash('sha256').update(prompt).digest().subarray(0, 12))
}
