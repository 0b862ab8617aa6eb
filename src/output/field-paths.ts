import type { TSchema } from '@sinclair/typebox';
import { type Meaning, meaning } from '../api/shapes.js';

type Meant = TSchema & { [meaning]?: Meaning };

/** What a view knows of a shape. */
export interface Paths {
  /** All dotted paths, parents before parts. */
  fields: string[];
  /** Prefixes under which any key may come. */
  open: string[];
  /** By path, what its values mean, where the shape says it. */
  kinds: Record<string, Meaning>;
}

/** The paths of a shape. Arrays are seen through; recursive shapes are followed once. */
export function fieldPaths(schema: TSchema, prefix = ''): Paths {
  const fields: string[] = [];
  const open: string[] = [];
  const kinds: Record<string, Meaning> = {};
  for (const [key, part] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const path = prefix + key;
    fields.push(path);
    const core = inside(part);
    const kind = (part as Meant)[meaning] ?? (core as Meant)[meaning];
    if (kind !== undefined) kinds[path] = kind;
    if (core.properties !== undefined && path.split('.').length < 5) {
      const inner = fieldPaths(core, `${path}.`);
      fields.push(...inner.fields);
      open.push(...inner.open);
      Object.assign(kinds, inner.kinds);
    } else if (holdsAnyKey(core)) {
      open.push(path);
    }
  }
  return { fields, open, kinds };
}

/** The shape itself: without null as a second branch, and of an array, that of its elements. */
function inside(schema: TSchema): TSchema {
  const branches = (schema.anyOf as TSchema[] | undefined)?.filter((branch) => branch.type !== 'null');
  const core = branches?.length === 1 ? (branches[0] as TSchema) : schema;
  return core.type === 'array' ? inside(core.items as TSchema) : core;
}

/** Whether a value may have keys that the declaration does not name: a map, any value, one of several shapes. */
function holdsAnyKey({ anyOf, type, enum: values, $ref }: TSchema): boolean {
  if (anyOf !== undefined) return (anyOf as TSchema[]).some(holdsAnyKey);
  return type === 'object' || (type === undefined && values === undefined && $ref === undefined);
}
