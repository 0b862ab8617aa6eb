import type { TSchema } from '@sinclair/typebox';

/**
 * All dotted paths into a shape, parents before parts, and the prefixes under which any key may come.
 * Arrays are seen through; recursive shapes are followed once.
 */
export function fieldPaths(schema: TSchema, prefix = ''): { fields: string[]; open: string[] } {
  const fields: string[] = [];
  const open: string[] = [];
  for (const [key, part] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const path = prefix + key;
    fields.push(path);
    const core = inside(part);
    if (core.properties !== undefined && path.split('.').length < 5) {
      const inner = fieldPaths(core, `${path}.`);
      fields.push(...inner.fields);
      open.push(...inner.open);
    } else if (holdsAnyKey(core)) {
      open.push(path);
    }
  }
  return { fields, open };
}

/** The shape itself: without null as a second branch, and of an array, that of its elements. */
function inside(schema: TSchema): TSchema {
  const branches = (schema.anyOf as TSchema[] | undefined)?.filter((branch) => branch.type !== 'null');
  const core = branches?.length === 1 ? (branches[0] as TSchema) : schema;
  return core.type === 'array' ? inside(core.items as TSchema) : core;
}

/** Whether a value may have keys that the declaration does not name: a map, any value, one of several shapes. */
function holdsAnyKey(schema: TSchema): boolean {
  if (schema.anyOf !== undefined) return (schema.anyOf as TSchema[]).some(holdsAnyKey);
  return (
    schema.type === 'object' ||
    (schema.type === undefined && schema.enum === undefined && schema.$ref === undefined)
  );
}
