import { inflateRawSync } from 'node:zlib';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type {
  Cell,
  ChangedItem,
  ColumnKind,
  GraphPart,
  HeatPart,
  PagePart,
  TablePart,
  TreeNode,
} from '../../src/document/document.js';
import type { PackedHeats } from '../../src/reports/packed.js';

/** Reads a page as its reader does: what its elements say, without its script. */

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** An element of a page. */
export interface Found {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** All elements of a parsed page, in order, with the text in them. */
export function elementsOf(node: Node): Found[] {
  return all(node).map((element) => ({
    name: element.tagName,
    attributes: attributesOf(element),
    text: textOf(element),
  }));
}

function attributesOf({ attrs }: Element): Record<string, string> {
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** The elements below a node that pass, in order; those below a template are its content. */
function all(node: Node, passes: (element: Element) => boolean = () => true): Element[] {
  if (!('childNodes' in node)) return [];
  const below = node.childNodes.flatMap((child) => all(child, passes));
  return 'tagName' in node && passes(node) ? [node, ...below] : below;
}

const named = (name: string, ofClass?: string) => (element: Element) =>
  element.tagName === name && (ofClass === undefined || classes(element).includes(ofClass));

function classes(element: Element): string[] {
  return (attributesOf(element).class ?? '').split(' ');
}

function children(element: Element): Element[] {
  return element.childNodes.filter((node): node is Element => 'tagName' in node);
}

/** The parts of a page, as far as their elements hold them. */
export function unpacked(html: string): { parts: PagePart[] } {
  const page = parse(html);
  const heats = heatsIn(html);
  const sections = all(page, (element) => 'data-part' in attributesOf(element));
  return {
    parts: sections.map((section): PagePart => {
      const [heading] = all(section, named('h2'));
      const title = heading === undefined ? '' : textOf(children(heading)[0] ?? heading);
      const [noted] = children(section).filter(named('p', 'note'));
      const note = noted === undefined ? {} : { note: textOf(noted) };
      const kind = attributesOf(section)['data-part'];
      if (kind === 'heat')
        return { kind, title, ...note, ...(heats.shift() as Omit<HeatPart, 'kind' | 'title'>) };
      if (kind === 'changes')
        return { kind, title, ...note, items: itemsIn(section), empty: emptyIn(section) };
      if (kind === 'tree')
        return { kind, title, ...note, root: nodeOf(all(section, named('li'))[0] as Element) };
      if (kind === 'graph') return { kind, title, ...note, ...graphIn(section) };
      return { kind: 'table', title, ...note, ...tableIn(section) };
    }),
  };
}

function emptyIn(section: Element): string {
  const [empty] = all(section, named('p', 'empty'));
  return empty === undefined ? '' : textOf(empty);
}

function tableIn(section: Element): Omit<TablePart, 'kind' | 'title'> {
  const heads = all(section, (element) => 'data-as' in attributesOf(element));
  const columns = heads.map((head) => ({
    label: textOf(head),
    as: attributesOf(head)['data-as'] as ColumnKind,
  }));
  const rows = all(section, (element) => element.tagName === 'tr' && 'data-row' in attributesOf(element));
  return {
    columns,
    rows: rows.map((row) => children(row).map((cell, at) => cellValue(cell, columns[at]?.as ?? 'text'))),
    empty: emptyIn(section),
  };
}

function cellValue(cell: Element, as: ColumnKind): Cell {
  const shown = children(cell).filter((element) => !classes(element).includes('sev'));
  const number = attributesOf(cell)['data-v'];
  if (number !== undefined) return Number(number);
  const lines = shown.filter(
    (element) => classes(element).includes('l') || (as === 'flags' && classes(element).includes('b')),
  );
  if (lines.length > 0) return lines.map(textOf);
  const [time] = shown.filter(named('time'));
  if (time !== undefined) return attributesOf(time).datetime ?? null;
  const text = textOf(cell);
  if (text === '') return as === 'flags' ? [] : null;
  return as === 'yesno' ? text === 'yes' : text;
}

function itemsIn(section: Element): ChangedItem[] {
  const items: ChangedItem[] = [];
  let as = '';
  for (const element of all(section)) {
    if (element.tagName === 'h3') as = textOf(element.childNodes[0] as Node).trim();
    if (!('data-row' in attributesOf(element))) continue;
    const [mark] = all(element, named('b', 'mark'));
    const [title] = all(element, named('bdi'));
    const notes = all(element, (one) => one.tagName === 'p' && attributesOf(one).dir === 'auto').map(textOf);
    const ids = all(element, (one) => one.tagName === 'p' && textOf(one).startsWith('Id ')).map((one) =>
      textOf(one).slice(3),
    );
    items.push({
      action: mark === undefined ? '' : (attributesOf(mark).title ?? ''),
      as,
      title: title === undefined ? '' : textOf(title),
      ...(ids[0] !== undefined && { id: ids[0] }),
      ...(notes.length > 0 && { notes }),
      fields: all(element, named('span', 'v')).map(fieldOf),
    });
  }
  return items;
}

/** Both values of a line, from what is marked in it. */
function fieldOf(line: Element): ChangedItem['fields'][number] {
  const [name, ...rest] = children(line);
  const side = (other: string) => {
    const take = (node: Node): string => {
      if ('tagName' in node && (node.tagName === other || classes(node).includes('arrow'))) return '';
      if ('value' in node) return node.value;
      return 'childNodes' in node ? node.childNodes.map(take).join('') : '';
    };
    return rest.map(take).join('').trim() || null;
  };
  return { name: name === undefined ? '' : textOf(name), before: side('ins'), after: side('del') };
}

function nodeOf(item: Element): TreeNode {
  const [line] = children(item).filter(named('details'));
  const around = line === undefined ? item : (children(line)[0] as Element);
  const [label] = all(around, named('bdi', 'label'));
  const [as] = all(around, named('span', 'as'));
  const [facts] = all(around, named('span', 'soft'));
  const below = line === undefined ? [] : children(line).filter(named('ul')).flatMap(children);
  return {
    label: label === undefined ? '' : textOf(label),
    as: as === undefined ? '' : textOf(as),
    facts: facts === undefined || textOf(facts) === '' ? [] : textOf(facts).split(' · '),
    children: below.map(nodeOf),
  };
}

function graphIn(section: Element): Pick<GraphPart, 'nodes' | 'edges'> {
  const { rows } = tableIn(section);
  const labels = [...new Set(rows.flatMap(([from, to]) => [String(from), String(to)]))];
  const edges = rows.map(([from, to, count, broken, detail]) => ({
    from: labels.indexOf(String(from)),
    to: labels.indexOf(String(to)),
    count: Number(count),
    broken: Number(broken),
    ...(typeof detail === 'string' && { detail }),
  }));
  return { nodes: labels.map((label) => ({ label, as: '' })), edges };
}

/** The pairs of the maps of a page, read as `PackedHeats` says. */
function heatsIn(html: string): Omit<HeatPart, 'kind' | 'title'>[] {
  const base64 = /<script type="text\/plain" id="data">([\w+/=]*)<\/script>/.exec(html)?.[1];
  if (base64 === undefined) return [];
  const bytes = inflateRawSync(Buffer.from(base64, 'base64'));
  const length = bytes.readUInt32LE(0);
  const heats = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as PackedHeats;
  let at = 4 + length;
  const take = (count: number) => {
    at += count;
    return Uint8Array.from(bytes.subarray(at - count, at));
  };
  return heats.map((heat) => {
    const count = heat.rows.length * heat.columns.length;
    const [cells, low, high] = [take(count), take(count), take(count)];
    return { ...heat, cells, why: Uint16Array.from(low, (byte, index) => byte + (high[index] ?? 0) * 256) };
  });
}
