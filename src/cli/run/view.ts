import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { defined, isObject } from '../../base/values.js';
import { fieldPaths, type Paths } from '../../output/printed-shapes.js';
import type { Column, View } from '../../output/printer.js';
import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/** How the answer of an operation is shown: columns, id and known fields, from its declaration. */
export function viewOf({ spec }: Command, op: AnyOperation): View {
  const item = itemSchema(spec?.listIn, op);
  const { fields, open, kinds, refs } =
    item === undefined
      ? { fields: ['id', 'status'], open: [], kinds: {}, refs: {} }
      : withDepth(spec?.children, fieldPaths(item));
  const declared: readonly (string | Column)[] = spec?.columns ?? [];
  const given = declared.length > 0 ? declared : fields.filter((path) => !path.includes('.'));
  const columns = given.map((column) => (typeof column === 'string' ? { path: column } : column));
  const tree = spec?.children === undefined ? undefined : { list: spec.listIn, children: spec.children };
  return { columns, fields, open, kinds, refs, ...defined({ id: spec?.id, tree }) };
}

/** The fields of an item of a tree: its depth instead of its children. */
function withDepth(children: string | undefined, paths: Paths): Paths {
  if (children === undefined) return paths;
  const own = (path: string): boolean => path !== children && !path.startsWith(`${children}.`);
  return { ...paths, fields: ['depth', ...paths.fields.filter(own)], open: paths.open.filter(own) };
}

function itemSchema(listIn: string | undefined, { returns }: AnyOperation): TSchema | undefined {
  if (returns.kind === 'none') return undefined;
  if (returns.kind === 'page') return returns.item;
  const { schema } = returns;
  const list = listIn === undefined ? schema : (schema.properties?.[listIn] as TSchema);
  return list.type === 'array' ? (list.items as TSchema) : list;
}

/**
 * The items of an answer that is a list at heart (`listIn`), trees flattened (`children`).
 * @returns undefined if the answer is shown as it is: a resource, or a tree in a format that can hold one
 */
export function itemsOfAnswer(session: Session, { spec }: Command, answer: unknown): unknown[] | undefined {
  const { listIn, children } = spec ?? {};
  const list = listIn === undefined ? answer : (answer as Record<string, unknown>)[listIn];
  if (!Array.isArray(list) || children === undefined) return Array.isArray(list) ? list : undefined;
  return keepsTrees(session) ? undefined : [...flattened(list, children)];
}

/** JSON, YAML and jq get the tree; `--fields` picks from items, whatever the format. */
function keepsTrees({ settings, globals }: Session): boolean {
  if (settings.fields !== undefined) return false;
  const format = settings.output?.value;
  return globals.jq !== undefined || format === 'json' || format === 'yaml';
}

/** Items depth first, each with its depth instead of its children. A stack: depth has no limit. */
function* flattened(roots: readonly unknown[], children: string): Generator<unknown> {
  const waiting = roots.map((item) => ({ item, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { item, depth } = next;
    if (!isObject(item)) continue;
    const { [children]: below, ...own } = item;
    yield { ...own, depth };
    if (!Array.isArray(below)) continue;
    for (const child of below.toReversed()) waiting.push({ item: child, depth: depth + 1 });
  }
}
