import type { EncodedPacket } from 'mediabunny'

type Feedable<Meta> = { add(packet: EncodedPacket, meta?: Meta): Promise<void>; close(): void }

/** Adds all packets of a track to an output, and ends the track. */
export async function feedPackets<Meta>(
  source: Feedable<Meta>,
  { packets, meta }: { packets: EncodedPacket[]; meta: Meta | undefined },
): Promise<void> {
  for (const packet of packets) await source.add(packet, meta)
  source.close()
}
