import { randomBytes } from 'node:crypto';

const TARGET_BYTES = 180_000;

export interface Payload {
  readonly bytes: Buffer;
  /** Stands in every few hundred bytes of the payload and nowhere else in the world. */
  readonly marker: string;
}

/** The story of a shipment with many parcels: about 180 KB of JSON. */
export function makePayload(shipment: string): Payload {
  const marker = `mark-${randomBytes(12).toString('hex')}`;
  const parcels: object[] = [];
  for (let bytes = 0; bytes < TARGET_BYTES;) {
    const parcel = {
      parcel: parcels.length + 1,
      seal: marker,
      weightGrams: 500 + ((parcels.length * 37) % 4_000),
      contents: 'spare parts, boxed; Ersatzteile, verpackt; 部品',
      scans: ['accepted', 'sorted', 'loaded', 'unloaded', 'delivered'],
    };
    parcels.push(parcel);
    bytes += Buffer.byteLength(JSON.stringify(parcel)) + 1;
  }
  return { marker, bytes: Buffer.from(JSON.stringify({ shipment, status: 'delivered', parcels }), 'utf8') };
}
