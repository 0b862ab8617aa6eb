import { roles } from '../../api/shapes.js';
import type { DesiredItem, KindName, LiveItem } from '../model.js';
import type { FieldChange } from './compare.js';

/** Sentences about changes that people should look at twice, beside what widens exposure (jobs/exposure.ts). */

type Risk = (key: string, change: FieldChange) => string | undefined;

/** Roles from high to low; a guest has none. */
const ranked: readonly unknown[] = [...roles, 'guest'];

/** By kind and field. */
const risks: Readonly<Record<string, Risk>> = {
  'people.role': (key, { before, after }) => {
    const isLower = ranked.indexOf(after) > ranked.indexOf(before) && ranked.includes(before);
    return isLower ? `${key} would lose the role ${String(before)}.` : undefined;
  },
  'people.sso': (key) => `${key} would sign in by SSO only, and no operation takes that back.`,
  'organization.sso': (_, { after }) =>
    after === true ? 'Members without SSO could no longer sign in.' : undefined,
  'fields.options': (key, { before, after }) => {
    const lost = difference(before, after);
    return lost.length === 0 ? undefined : `Spaces would lose the value ${lost.join(', ')} of ${key}.`;
  },
};

export function risksOf(
  kind: KindName,
  { key }: Pick<DesiredItem, 'key'>,
  change: FieldChange,
  live: LiveItem | undefined,
): string[] {
  // What is new has nothing to lose.
  if (live === undefined) return [];
  const found = risks[`${kind}.${change.field.key}`]?.(key, change);
  return found === undefined ? [] : [found];
}

function difference(all: unknown, without: unknown): unknown[] {
  const rest: unknown[] = Array.isArray(without) ? without : [];
  return Array.isArray(all) ? all.filter((one) => !rest.includes(one)) : [];
}
