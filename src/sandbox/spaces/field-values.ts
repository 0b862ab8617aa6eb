import type { CustomFieldRow } from '../records/custom-field.js';

/**
 * The part of a value that a custom field's options allow: drops an unknown option, and unknown options
 * from a list. Fields of other types allow any value.
 * @param value as JSON
 * @returns as JSON; undefined if nothing is left
 */
export function valueWithin(
  value: string,
  field: Pick<CustomFieldRow, 'type' | 'options'>,
): string | undefined {
  if (field.options === null || (field.type !== 'select' && field.type !== 'multiselect')) return value;
  const options = JSON.parse(field.options) as string[];
  const given = [JSON.parse(value) as string | string[]].flat();
  const kept = given.filter((option) => options.includes(option));
  if (kept.length === given.length) return value;
  return kept.length === 0 ? undefined : JSON.stringify(kept);
}
