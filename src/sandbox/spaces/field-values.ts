import type { CustomFieldRow } from '../records/custom-field.js';

/**
 * What is left of a value under a custom field's options: an option that is none of them is dropped,
 * a list of options keeps those that are. Fields of other types take any value.
 * @param value as JSON
 * @returns as JSON; undefined where nothing is left
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
