import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { fieldPaths, type Paths } from '../../output/field-paths.js';
import type { Column, View } from '../../output/printer.js';
import type { Command } from '../declare/command.js';

/** How the answer of an operation is shown: columns, id and known fields, from its declaration. */

export function viewOf(command: Command, op: AnyOperation): View {
  const item = itemSchema(command, op);
  const { fields, open, kinds } =
    item === undefined ? { fields: ['id', 'status'], open: [], kinds: {} } : flat(command, fieldPaths(item));
  const given = (command.spec?.columns ?? []) as readonly (string | Column)[];
  const columns = given.map((column) => (typeof column === 'string' ? { path: column } : column));
  return {
    columns:
      columns.length > 0 ? columns : fields.filter((path) => !path.includes('.')).map((path) => ({ path })),
    fields,
    open,
    kinds,
    ...(command.spec?.id !== undefined && { id: command.spec.id }),
  };
}

/** The fields of an item of a tree: its depth instead of its children. */
function flat(command: Command, paths: Paths): Paths {
  const { children } = command.spec ?? {};
  if (children === undefined) return paths;
  const own = (path: string): boolean => path !== children && !path.startsWith(`${children}.`);
  return { ...paths, fields: ['depth', ...paths.fields.filter(own)], open: paths.open.filter(own) };
}

function itemSchema(command: Command, op: AnyOperation): TSchema | undefined {
  if (op.returns.kind === 'none') return undefined;
  if (op.returns.kind === 'page') return op.returns.item;
  const schema = op.returns.schema;
  const list =
    command.spec?.listIn === undefined ? schema : (schema.properties?.[command.spec.listIn] as TSchema);
  return list.type === 'array' ? (list.items as TSchema) : list;
}
