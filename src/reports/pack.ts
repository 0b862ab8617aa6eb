import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { mapStrings, redactText } from '../base/redaction.js';
import { defined } from '../base/values.js';
import type { Document, HeatPart, PagePart, TreeNode } from '../document/document.js';
import { safeText } from '../output/safe-text.js';
import type { Packed, PackedPart } from './packed.js';

const deflate = promisify(deflateRaw);

/** The report with every text made safe, and without what looks secret. Bytes of heat maps stay. */
export function cleaned(report: Document): Document {
  return mapStrings(report, (text) => safeText(redactText(text))) as Document;
}

/**
 * The parts of a report as base64 of deflated bytes: see `Packed`.
 * @param parts cleaned
 * @param madeAt in milliseconds since the epoch
 */
export async function packed(parts: readonly PagePart[], madeAt: number): Promise<string> {
  const content: Packed = { parts: parts.map(packedPart), madeAt };
  const json = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const heats = parts.filter((part): part is HeatPart => part.kind === 'heat');
  const whole = Buffer.concat([length, json, ...heats.flatMap(bytesOf)]);
  return (await deflate(whole)).toString('base64');
}

/** Bytes have a place of their own, and what only other media draw is left out. */
function packedPart(part: PagePart): PackedPart {
  if (part.kind === 'tree') return { ...part, root: packedNode(part.root) };
  if (part.kind !== 'heat') return part;
  const { cells: _cells, why: _why, ...rest } = part;
  return rest;
}

function packedNode({ label, as, facts, at, remark, children }: TreeNode): TreeNode {
  const about = remark === undefined ? facts : [...(facts ?? []), remark];
  return defined({ label, as, facts: about, at, children: children?.map(packedNode) });
}

function bytesOf({ title, rows, columns, cells, why }: HeatPart): Uint8Array[] {
  const count = rows.length * columns.length;
  if (cells.length !== count || why.length !== count)
    throw new Error(`The heat map "${title}" needs ${count} cells.`);
  return [cells, Uint8Array.from(why, (index) => index & 0xff), Uint8Array.from(why, (index) => index >> 8)];
}
