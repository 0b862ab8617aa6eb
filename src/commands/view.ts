import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../api/operation.js';
import type { Column, View } from '../output/printer.js';
import type { Command } from './command.js';

/** How the answer of an operation is shown: columns, id and known fields, from its declaration. */

export function viewOf(command: Command, op: AnyOperation): View {
  const item = itemSchema(command, op);
  const { fields, open } = item === undefined ? { fields: ['id', 'status'], open: [] } : fieldPaths(item);
  const given = (command.spec?.columns ?? []) as readonly (string | Column)[];
  const columns = given.map((column) => (typeof column === 'string' ? { path: column } : column));
  return {
    columns: columns.length > 0 ? columns : fields.filter((path) => !path.includes('.')).map((path) => ({ path })),
    fields,
    open,
    ...(command.spec?.id !== undefined && { id: command.spec.id }),
  };
}

function itemSchema(command: Command, op: AnyOperation): TSchema | undefined {
  if (op.returns.kind === 'none') return undefined;
  if (op.returns.kind === 'page') return op.returns.item;
  const schema = op.returns.schema;
  const list = command.spec?.listIn === undefined ? schema : (schema.properties?.[command.spec.listIn] as TSchema);
  return list.type === 'array' ? (list.items as TSchema) : list;
}

/**
 * All dotted paths into a shape, parents before parts, and the prefixes under which any key may come.
 * Recursive shapes are followed once.
 */
export function fieldPaths(schema: TSchema, prefix = ''): { fields: string[]; open: string[] } {
  const fields: string[] = [];
  const open: string[] = [];
  for (const [key, part] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const path = prefix + key;
    fields.push(path);
    const core = withoutNull(part);
    if (core.properties !== undefined && path.split('.').length < 5) {
      const inner = fieldPaths(core, `${path}.`);
      fields.push(...inner.fields);
      open.push(...inner.open);
    } else if (core.type === 'object') {
      open.push(path);
    }
  }
  return { fields, open };
}

/** The shape itself where null is a second branch. */
function withoutNull(schema: TSchema): TSchema {
  const branches = (schema.anyOf as TSchema[] | undefined)?.filter((branch) => branch.type !== 'null');
  return branches?.length === 1 ? (branches[0] as TSchema) : schema;
}
