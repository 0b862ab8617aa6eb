import { type FieldEntry, valuesByName } from '../../jobs/rules/spaces.js';

/** The values of the custom fields of a space, as a live item and as a request has them. */

/** A field without a value that cannot be cleared has none to compare. */
export function shownValues(entries: readonly FieldEntry[] | undefined): Record<string, unknown> | undefined {
  if (entries === undefined) return undefined;
  return Object.fromEntries(Object.entries(valuesByName(entries)).filter(([, value]) => value !== null));
}

export function asSent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { value }]));
}
