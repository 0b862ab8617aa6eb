import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import type { Field, Kind } from '../kind.js';
import type { KindName } from '../model.js';

/** Bodies of requests from fields in the form of the files. */

/**
 * The fields of the body that set a field.
 * @param value in the form of the files; of a reference the id, or where it comes from
 * @param target the kind of item that the reference names; default: the first that it can name
 */
export function bodyOf(field: Field, value: unknown, target: KindName | undefined = field.refers) {
  return field.send?.(value, target) ?? { [field.name]: value };
}

/** Whether the creation of an item sets a field to that value; otherwise an update does so afterwards. */
export function atCreation({ create }: Kind, field: Field, value: unknown): boolean {
  if (create === undefined || field.setBy !== undefined || field.last) return false;
  const body = propertiesOf(create.op);
  return Object.entries(bodyOf(field, value)).every(([name, part]) => fits(body[name], part));
}

/** A field that a creation takes may be longer in an update: the title of a section. */
function fits(schema: TSchema | undefined, part: unknown): boolean {
  if (schema === undefined) return false;
  return typeof part !== 'string' || part.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
}

/** The fields of the body of an operation; none where it has no body. */
export function propertiesOf({ body }: AnyOperation): Readonly<Record<string, TSchema>> {
  return (body?.properties ?? {}) as Record<string, TSchema>;
}
