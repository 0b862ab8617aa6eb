import type { TSchema } from '@sinclair/typebox';
import { type Meaning, meaning, type Referred, referred } from '../api/shapes.js';

type Meant = TSchema & { [meaning]?: Meaning; [referred]?: Referred };

/** What a view knows of a shape. */
export interface Paths {
  /** All dotted paths, parents before parts. */
  fields: string[];
  /** Prefixes under which any key may come. */
  open: string[];
  /** By path, what its values mean, where the shape says it. */
  kinds: Record<string, Meaning>;
  /** By path, the kind of resource whose id it holds, where the shape says it. */
  refs: Record<string, Referred>;
}

/** The paths of a shape. Arrays are seen through; recursive shapes are followed once. */
export function fieldPaths(schema: TSchema, prefix = ''): Paths {
  const fields: string[] = [];
  const open: string[] = [];
  const kinds: Record<string, Meaning> = {};
  const refs: Record<string, Referred> = {};
  for (const [key, part] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const path = prefix + key;
    fields.push(path);
    const core = inside(part);
    const kind = (part as Meant)[meaning] ?? (core as Meant)[meaning];
    if (kind !== undefined) kinds[path] = kind;
    const refersTo = (part as Meant)[referred] ?? (core as Meant)[referred];
    if (refersTo !== undefined) refs[path] = refersTo;
    if (core.properties !== undefined && path.split('.').length < 5) {
      const inner = fieldPaths(core, `${path}.`);
      fields.push(...inner.fields);
      open.push(...inner.open);
      Object.assign(kinds, inner.kinds);
      Object.assign(refs, inner.refs);
    } else if (holdsAnyKey(core)) {
      open.push(path);
    }
  }
  return { fields, open, kinds, refs };
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
