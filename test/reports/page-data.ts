import { readFileSync } from 'node:fs';
import type { HeatPart, PagePart, TablePart } from '../../src/document/document.js';
import { unpacked } from './unpacked.js';

/** What a page of `--html` says, as its browser reads it. */
export interface PageData {
  parts: readonly PagePart[];
  /** The whole file. */
  html: string;
  title: string;
  /** The answer, where there is one; else the title. */
  headline: string;
  /** The sentences on what could not be read. */
  missing: string[];
  about: string[];
  facts: Record<string, string>;
}

/** Reads a page that a command wrote. */
export function pageData(path: string): PageData {
  const html = readFileSync(path, 'utf8');
  const warning = /<div class="warning"[\s\S]*?<\/div>/.exec(html)?.[0] ?? '';
  const between = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => plain(text));
  const labels = between(/<dt>(.*?)<\/dt>/g);
  const values = between(/<dd dir="auto">(.*?)<\/dd>/g);
  return {
    html,
    title: plain(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? ''),
    headline: between(/<h1 dir="auto">(.*?)<\/h1>/g).join(),
    missing: [...warning.matchAll(/<li dir="auto">(.*?)<\/li>/g)].map(([, text = '']) => plain(text)),
    about: between(/^<p dir="auto">(.*?)<\/p>$/gm),
    facts: Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])),
    ...unpacked(html),
  };
}

/** The table with this title, a row as an object by the labels of its columns. */
export function rowsOf(parts: readonly PagePart[], title: string): Record<string, unknown>[] {
  const table = parts.find((part): part is TablePart => part.kind === 'table' && part.title === title);
  if (table === undefined) throw new Error(`No table ${title}`);
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map(({ label }, at) => [label, row[at] ?? null])),
  );
}

/** Level and reason of a cell of a heat map, by the labels of its row and its column. */
export function cellOf(
  parts: readonly PagePart[],
  row: string,
  column: string,
): [level: string, why: string] {
  const heat = parts.find((part): part is HeatPart => part.kind === 'heat');
  if (heat === undefined) throw new Error('No heat map');
  const labelled = (list: HeatPart['rows'], label: string) => {
    const at = list.findIndex((one) => one.label === label);
    if (at === -1) throw new Error(`No ${label}`);
    return at;
  };
  const at = labelled(heat.rows, row) * heat.columns.length + labelled(heat.columns, column);
  return [heat.levels[heat.cells[at] ?? 0] ?? '', heat.reasons[heat.why[at] ?? 0] ?? ''];
}

function plain(html: string): string {
  const known: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
  return html.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => known[name] ?? '');
}
