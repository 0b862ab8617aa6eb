import type { HeatPart, PagePart } from '../../document/document.js';
import { grouped } from '../../output/text.js';
import type { Packed, PackedHeat, PackedPart } from '../packed.js';
import { changesView } from './changes.js';
import { el, newId } from './dom.js';
import { graphView } from './graph.js';
import { heatView } from './heat.js';
import { tableView } from './table.js';
import { treeView } from './tree.js';

/** What a page says, as its program made it. */
interface Content {
  parts: readonly PagePart[];
  madeAt: number;
}

/** Reads the data of the page: see `Packed`. @throws if the browser is too old for it, or the page is damaged */
async function unpack(base64: string): Promise<Content> {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(whole.buffer).getUint32(0, true);
  const packed = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length))) as Packed;
  let at = 4 + length;
  const take = (count: number) => {
    at += count;
    return whole.subarray(at - count, at);
  };
  return { parts: packed.parts.map((part) => withBytes(part, take)), madeAt: packed.madeAt };
}

function withBytes(part: PackedPart, take: (count: number) => Uint8Array): PagePart {
  return part.kind === 'heat' ? heatOf(part, take) : part;
}

function heatOf(part: PackedHeat, take: (count: number) => Uint8Array): HeatPart {
  const count = part.rows.length * part.columns.length;
  const [cells, low, high] = [take(count), take(count), take(count)];
  const why = new Uint16Array(count);
  for (let at = 0; at < count; at += 1) why[at] = (low[at] ?? 0) | ((high[at] ?? 0) << 8);
  return { ...part, cells, why };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const main = document.getElementById('report');
const data = document.getElementById('data');

if (main !== null && data !== null) show(main, data).catch((cause: unknown) => tellFailure(main, cause));

async function show(into: HTMLElement, from: HTMLElement): Promise<void> {
  const content = await unpack(from.textContent ?? '');
  const ids = content.parts.map(newId);
  const sections = content.parts.map((part, at) => sectionOf(part, ids[at] ?? '', content));
  if (sections.length > 1) into.append(contents(content.parts, ids));
  into.append(...sections);
  into.dataset.ready = '';
}

function tellFailure(into: HTMLElement, cause: unknown): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  into.append(
    el(
      'p',
      { class: 'warning', role: 'alert' },
      `This report cannot be shown: ${reason}. It needs a browser of 2023 or later.`,
    ),
  );
}

function contents(parts: readonly PagePart[], ids: readonly string[]): HTMLElement {
  const items = parts.map((part, at) =>
    el('li', {}, el('a', { href: `#${ids[at]}`, dir: 'auto' }, part.title), ' ', countOf(part)),
  );
  return el('nav', { 'aria-label': 'Contents' }, el('ul', {}, ...items));
}

function sectionOf(part: PagePart, id: string, { madeAt }: Content): HTMLElement {
  const heading = newId();
  return el(
    'section',
    { id, class: part.kind, 'aria-labelledby': heading },
    el('h2', { id: heading }, el('bdi', {}, part.title), ' ', countOf(part)),
    part.note === undefined ? undefined : el('p', { class: 'note', dir: 'auto' }, part.note),
    ...viewOf(part, heading, madeAt),
  );
}

/** @param heading id of the element that names the part */
function viewOf(part: PagePart, heading: string, madeAt: number): Node[] {
  switch (part.kind) {
    case 'table':
      return tableView(part, heading, madeAt);
    case 'tree':
      return treeView(part, heading, madeAt);
    case 'heat':
      return heatView(part, heading, madeAt);
    case 'graph':
      return graphView(part, heading, madeAt);
    case 'changes':
      return changesView(part, heading);
  }
}

function countOf(part: PagePart): HTMLElement | undefined {
  const text = countText(part);
  return text === undefined ? undefined : el('span', { class: 'count' }, text);
}

function countText(part: PagePart): string | undefined {
  switch (part.kind) {
    case 'table':
      return grouped(part.rows.length);
    case 'changes':
      return grouped(part.items.length);
    case 'graph':
      return grouped(part.edges.length);
    case 'heat':
      return `${grouped(part.rows.length)} × ${grouped(part.columns.length)}`;
    case 'tree':
      return undefined;
  }
}
