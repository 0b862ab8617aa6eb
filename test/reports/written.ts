import { readFileSync } from 'node:fs';
import type { ChangesPart, GraphPart, PagePart, TablePart } from '../../src/document/document.js';
import { unpacked } from './unpacked.js';

/** A page that `--html` has written: its parts, and its head as a person reads it, as one text. */
export interface Written {
  parts: readonly PagePart[];
  head: string;
}

export function writtenTo(path: string): Written {
  const html = readFileSync(path, 'utf8');
  const header = /<header id="top">([\s\S]*)<\/header>/.exec(html)?.[1] ?? '';
  const head = header
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { ...unpacked(html), head };
}

/** The only part of a kind with this title. */
export function partOf<K extends 'table' | 'graph' | 'changes'>(
  { parts }: { parts: readonly Pick<PagePart, 'kind' | 'title'>[] },
  kind: K,
  title: string,
): { table: TablePart; graph: GraphPart; changes: ChangesPart }[K] {
  const found = parts.filter((part) => part.kind === kind && part.title === title);
  if (found.length !== 1) throw new Error(`${found.length} parts "${title}" of kind ${kind}`);
  return found[0] as { table: TablePart; graph: GraphPart; changes: ChangesPart }[K];
}
