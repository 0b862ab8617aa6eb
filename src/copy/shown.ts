import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { ruleOf } from '../jobs/undo-rules.js';

/** Where the platform shows what a changing operation changes. */
export interface Shown {
  /** Template of the path that shows the one resource that it changes. */
  one?: string;
  /** Template of a list with items that it changes, where none of these has a path of its own. */
  list?: string;
  /** The parameter that names the one item of the list; absent where it changes several. */
  item?: string;
  /** Template of the path of the content that it changes besides. */
  content?: string;
  /** Template of the path of what it creates. */
  made?: { path: string; parameter: string };
}

const ones = reads('one');
const lists = reads('page');

function reads(kind: AnyOperation['returns']['kind']): ReadonlyMap<string, AnyOperation> {
  const found = operations.filter(({ method, returns }) => method === 'GET' && returns.kind === kind);
  return new Map(found.map((one) => [one.path, one]));
}

/** The operation that shows the one resource at a path, or the list there; undefined where none does. */
export function showsAt(path: string): AnyOperation | undefined {
  return ones.get(path) ?? lists.get(path);
}

const known = new Map<string, Shown>();

/** Where what an operation changes is shown: at its path, at the path of what it makes, or above it. */
export function shownBy(operation: AnyOperation): Shown {
  const found = known.get(operation.id) ?? find(operation);
  known.set(operation.id, found);
  return found;
}

function find(operation: AnyOperation): Shown {
  const { path, method, id } = operation;
  const { harmless, makes, creates } = ruleOf(operation);
  if (harmless === true) return {};
  const content = contentOf(operation);
  if (content !== undefined && path.startsWith(content)) return { content };
  if (ones.has(path)) return { one: path };
  const creating = creates === true || (method === 'POST' && lists.has(path));
  if (creating) return { made: madeAt(path, makes?.parameter ?? 'id') };
  if (lists.has(path)) return { list: path };
  const above = aboveOf(path);
  if (above === undefined) throw new Error(`Nothing shows what ${id} changes`);
  return { ...above, ...(content !== undefined && { content }) };
}

/** Merges and imports change pages and files. */
function contentOf({ id, path }: AnyOperation): string | undefined {
  if (id === 'change-requests.merge') return '/v1/spaces/{spaceId}/content';
  return id.endsWith('content.import') ? path.slice(0, path.lastIndexOf('/')) : undefined;
}

function madeAt(path: string, parameter: string): NonNullable<Shown['made']> {
  const own = [...ones.keys()].find((one) => one.endsWith(`/{${parameter}}`));
  return { path: own ?? `${path}/{${parameter}}`, parameter };
}

/** The nearest resource above a path, by itself or as the item of a list; else nothing. */
function aboveOf(path: string): Shown | undefined {
  for (let at = path; at !== ''; at = parentOf(at)) {
    if (ones.has(at)) return { one: at };
    const item = /\/\{(\w+)\}$/.exec(at)?.[1];
    const list = parentOf(at);
    if (item !== undefined && lists.has(list)) return { list, item };
  }
  return undefined;
}

/** A path without its last part; '' above the first. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A path with the values of its parameters, encoded. */
export function pathWith(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
