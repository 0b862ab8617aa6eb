import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import type { Packed } from '../../src/reports/packed.js';
import type { ChangesPart, GraphPart, Part, TablePart } from '../../src/reports/report.js';

/** What a page holds, as its script reads it; and its head as a person reads it, as one text without tags. */
export interface Unpacked extends Packed {
  head: string;
}

/** @param path of a page that `--html` has written */
export function unpacked(path: string): Unpacked {
  const html = readFileSync(path, 'utf8');
  const data = /<script type="text\/plain" id="data">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
  const bytes = inflateRawSync(Buffer.from(data, 'base64'));
  const json = bytes.subarray(4, 4 + bytes.readUInt32LE(0)).toString('utf8');
  const header = /<header>([\s\S]*)<\/header>/.exec(html)?.[1] ?? '';
  const head = header
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { ...(JSON.parse(json) as Packed), head };
}

/** The only part of a kind with this title. */
export function partOf<K extends 'table' | 'graph' | 'changes'>(
  { parts }: { parts: readonly Pick<Part, 'kind' | 'title'>[] },
  kind: K,
  title: string,
): { table: TablePart; graph: GraphPart; changes: ChangesPart }[K] {
  const found = parts.filter((part) => part.kind === kind && part.title === title);
  if (found.length !== 1) throw new Error(`${found.length} parts "${title}" of kind ${kind}`);
  return found[0] as { table: TablePart; graph: GraphPart; changes: ChangesPart }[K];
}
