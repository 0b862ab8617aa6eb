import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { defined } from '../base/values.js';
import type { HeatPart } from '../document/document.js';
import type { PackedHeats } from './packed.js';

const deflate = promisify(deflateRaw);

/** The pairs of all maps as base64 (`PackedHeats`); undefined where there is no map. */
export async function packHeats(heats: readonly HeatPart[]): Promise<string | undefined> {
  if (heats.length === 0) return undefined;
  const content: PackedHeats = heats.map(({ axes, rows, columns, levels, aside, reasons }) =>
    defined({ axes, rows, columns, levels, aside, reasons }),
  );
  const json = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return (await deflate(Buffer.concat([length, json, ...heats.flatMap(bytesOf)]))).toString('base64');
}

function bytesOf({ title, rows, columns, cells, why }: HeatPart): Uint8Array[] {
  const count = rows.length * columns.length;
  if (cells.length !== count || why.length !== count)
    throw new Error(`The heat map "${title}" needs ${count} cells.`);
  return [cells, Uint8Array.from(why, (index) => index & 0xff), Uint8Array.from(why, (index) => index >> 8)];
}
