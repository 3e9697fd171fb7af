/** Boxes that contain the boxes with times. */
const containers: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia'])
const timed: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd'])

/**
 * Sets creation and modification times in an MP4 file to zero, in place, so that equal content has equal bytes.
 * The file must be our own: its box sizes are trusted.
 */
export function zeroMp4Times(file: Uint8Array): void {
  zeroWithin(new DataView(file.buffer, file.byteOffset, file.byteLength), 0, file.byteLength)
}

function zeroWithin(view: DataView, start: number, end: number): void {
  for (let at = start; at + 8 <= end; ) {
    const { size, headerBytes, type } = boxAt(view, at, end)
    if (containers.has(type)) zeroWithin(view, at + headerBytes, at + size)
    else if (timed.has(type)) zeroTimesOf(view, at + headerBytes)
    at += size
  }
}

function boxAt(view: DataView, at: number, end: number): { size: number; headerBytes: number; type: string } {
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)))
  const short = view.getUint32(at)
  if (short === 1) return { size: Number(view.getBigUint64(at + 8)), headerBytes: 16, type }
  return { size: short === 0 ? end - at : Math.max(8, short), headerBytes: 8, type }
}

/** After a version byte and three flag bytes come both times: 32-bit in version 0, 64-bit in version 1. */
function zeroTimesOf(view: DataView, body: number): void {
  const bytes = view.getUint8(body) === 1 ? 16 : 8
  for (let offset = 0; offset < bytes; offset += 4) view.setUint32(body + 4 + offset, 0)
}
