import { isoBox, uint16, uint32 } from './isoBox.ts'

/**
 * A HEIC whose boxes are complete and whose picture is empty: nothing here can encode HEVC, and nothing decodes it.
 * `quarterTurns` adds a rotation property.
 */
export function heicSample({ width, height, quarterTurns }: { width: number; height: number; quarterTurns?: number }): Buffer {
  const coded = Buffer.alloc(512, 0x26)
  const properties = [
    isoBox('ispe', uint32(0), uint32(width), uint32(height)),
    isoBox('hvcC', Buffer.alloc(23, 1)),
    ...(quarterTurns === undefined ? [] : [isoBox('irot', Buffer.from([quarterTurns]))]),
  ]
  const indices = properties.map((_, index) => index + 1)
  const head = isoBox('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const metaWith = (offset: number): Buffer =>
    isoBox(
      'meta',
      uint32(0),
      isoBox('hdlr', uint32(0), uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
      isoBox('pitm', uint32(0), uint16(1)),
      isoBox(
        'iloc',
        uint32(0),
        Buffer.from([0x44, 0x00]),
        uint16(1),
        uint16(1),
        uint16(0),
        uint16(1),
        uint32(offset),
        uint32(coded.length),
      ),
      isoBox('iinf', uint32(0), uint16(1), isoBox('infe', uint32(0x0200_0000), uint16(1), uint16(0), Buffer.from('hvc1\0'))),
      isoBox(
        'iprp',
        isoBox('ipco', ...properties),
        isoBox('ipma', uint32(0), uint32(1), uint16(1), Buffer.from([indices.length, ...indices])),
      ),
    )
  const meta = metaWith(head.length + metaWith(0).length + 8)
  return Buffer.concat([head, meta, isoBox('mdat', coded)])
}
