import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { safeText } from '../output/safe-text.js';
import { mapStrings, redactText } from '../redaction.js';
import type { Packed, PackedPart } from './packed.js';
import type { HeatPart, Part, Report } from './report.js';

const deflate = promisify(deflateRaw);

/** The report with every text made safe, and without what looks secret. Bytes of heat maps stay. */
export function cleaned(report: Report): Report {
  return mapStrings(report, (text) => safeText(redactText(text))) as Report;
}

/**
 * The parts of a report as base64 of deflated bytes: see `Packed`.
 * @param parts cleaned
 * @param madeAt in milliseconds since the epoch
 */
export async function packed(parts: readonly Part[], madeAt: number): Promise<string> {
  const content: Packed = { parts: parts.map(withoutBytes), madeAt };
  const json = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const heats = parts.filter((part): part is HeatPart => part.kind === 'heat');
  const whole = Buffer.concat([length, json, ...heats.flatMap(bytesOf)]);
  return (await deflate(whole)).toString('base64');
}

function withoutBytes(part: Part): PackedPart {
  if (part.kind !== 'heat') return part;
  const { cells: _cells, why: _why, ...rest } = part;
  return rest;
}

function bytesOf({ title, rows, columns, cells, why }: HeatPart): Uint8Array[] {
  const count = rows.length * columns.length;
  if (cells.length !== count || why.length !== count)
    throw new Error(`The heat map "${title}" needs ${count} cells.`);
  return [cells, Uint8Array.from(why, (index) => index & 0xff), Uint8Array.from(why, (index) => index >> 8)];
}
