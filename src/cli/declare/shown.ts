import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { fieldPaths, type Paths } from '../../output/printed-shapes.js';
import type { Column, View } from '../../output/printer.js';
import type { Command } from './command.js';

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
  return { columns, fields, open, kinds, refs, id: spec?.id, tree };
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
