import { type CustomField, listCustomFields } from '../../../api/resources/custom-fields.js';
import { listSpaceFields } from '../../../api/resources/space-fields.js';
import { readAll } from '../../../jobs/in-order.js';
import type { Dependent } from '../change.js';
import type { Findings } from '../findings.js';
import type { MovedSpace } from './moved.js';

/** Values of custom fields: the target keeps one only if it has a field of the same name and type for it. */

type FieldType = Pick<CustomField, 'type' | 'options'>;

/** What becomes of one value of a space. */
export interface ValueLoss {
  space: { id: string; title: string };
  field: string;
  value: unknown;
  /** The options of the value that are kept; empty where nothing is. */
  kept: readonly string[];
  why: 'no-field' | 'other-type' | 'options';
}

/**
 * Compares one value with the fields of the target.
 * @param fields those of the target, by name
 * @returns undefined where it is kept whole
 */
export function valueLoss(
  { name, type }: Pick<CustomField, 'name' | 'type'>,
  value: unknown,
  fields: ReadonlyMap<string, FieldType>,
): Pick<ValueLoss, 'kept' | 'why'> | undefined {
  const field = fields.get(name);
  if (field === undefined) return { kept: [], why: 'no-field' };
  if (field.type !== type) return { kept: [], why: 'other-type' };
  const { options } = field;
  if (options === undefined || (type !== 'select' && type !== 'multiselect')) return undefined;
  const given = [value].flat().map(String);
  const kept = given.filter((one) => options.includes(one));
  return kept.length === given.length ? undefined : { kept, why: 'options' };
}

/** The values that are lost; what cannot be read counts as unknown. @param target its id and name */
export async function valuesLost(
  found: Findings,
  spaces: readonly MovedSpace[],
  target: { id: string; name: string },
): Promise<ValueLoss[]> {
  const { client } = found.reading;
  const what = { kind: 'custom-fields', id: target.id, title: target.name };
  const all = await found.items(what, client.call(listCustomFields, { path: { organizationId: target.id } }));
  if (all === undefined) return [];
  const fields = new Map<string, FieldType>(all.map((field) => [field.name, field]));
  const lost = await readAll(found.reading, spaces, async ({ id, title }) => {
    const entries = await found.attempt({ kind: 'custom-field-values', id, title }, () =>
      client.call(listSpaceFields, { path: { spaceId: id } }),
    );
    return (entries ?? []).flatMap(({ customField, value }): ValueLoss[] => {
      const loss = value === undefined ? undefined : valueLoss(customField, value, fields);
      return loss === undefined ? [] : [{ space: { id, title }, field: customField.name, value, ...loss }];
    });
  });
  return lost.flat();
}

/** A loss in words. @param target what the target is called */
export function valueDependent({ space, field, value, kept, why }: ValueLoss, target: string): Dependent {
  const shown = [value].flat().map(String).join(', ');
  const reason = {
    'no-field': `${target} has no custom field ${field}`,
    'other-type': `the custom field ${field} of ${target} is of another type`,
    options: `the custom field ${field} of ${target} does not have all of its options`,
  }[why];
  const left = kept.length === 0 ? 'is lost' : `is reduced to ${kept.join(', ')}`;
  const what = `The value ${shown} of ${field} ${left}: ${reason}.`;
  return { kind: 'field-value', id: `${space.id}/${field}`, title: space.title, what };
}
