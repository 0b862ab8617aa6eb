import { roles } from '../../api/shapes.js';
import type { DesiredItem, KindName, LiveItem } from '../model.js';
import type { FieldChange } from './compare.js';

/** Sentences about changes that people should look at twice. */

type Risk = (key: string, change: FieldChange) => string | undefined;

/** Roles from high to low; a guest has none. */
const ranked: readonly unknown[] = [...roles, 'guest'];

/** By kind and field. */
const risks: Readonly<Record<string, Risk>> = {
  'people.role': (key, { before, after }) => {
    if (after === 'admin') return `${key} would control the whole organization.`;
    const isLower = ranked.indexOf(after) > ranked.indexOf(before) && ranked.includes(before);
    return isLower ? `${key} would lose the role ${String(before)}.` : undefined;
  },
  'people.sso': (key) => `${key} would sign in by SSO only, and no operation takes that back.`,
  'sites.visibility': (key, { after }) => {
    if (after === 'public') return `Anyone could read the site ${key}, and search engines would list it.`;
    if (after === 'unlisted') return `Anyone who has the address could read the site ${key}.`;
    return after === 'share-link' ? `Anyone who has the link could read the site ${key}.` : undefined;
  },
  'organization.sso': (_, { after }) =>
    after === true ? 'Members without SSO could no longer sign in.' : 'Members could sign in without SSO.',
  'organization.default_role': (_, { before, after }) => raised('New members', before, after),
  'organization.invite_links': (_, { after }) =>
    after === true ? 'Anyone who has an invite link could join the organization.' : undefined,
  'organization.email_domains': (_, { before, after }) => {
    const added = difference(after, before);
    return added.length === 0 ? undefined : `Anyone with an email at ${added.join(', ')} could join.`;
  },
  'saml.default_role': (key, { before, after }) => raised(`New members by ${key}`, before, after),
  'fields.options': (key, { before, after }) => {
    const lost = difference(before, after);
    return lost.length === 0 ? undefined : `Spaces would lose the value ${lost.join(', ')} of ${key}.`;
  },
  'collections.default_level': (key, { before, after }) => raised(`Everyone in ${key}`, before, after),
  'spaces.default_level': (key, { before, after }) => raised(`Everyone in ${key}`, before, after),
};

export function risksOf(
  kind: KindName,
  { key }: Pick<DesiredItem, 'key'>,
  change: FieldChange,
  live: LiveItem | undefined,
): string[] {
  // A new site is not published, and a new member of a list has nothing to lose.
  if (live === undefined && kind !== 'saml') return [];
  const found = risks[`${kind}.${change.field.key}`]?.(key, change);
  return found === undefined ? [] : [found];
}

function raised(who: string, before: unknown, after: unknown): string | undefined {
  const [from, to] = [ranked.indexOf(before ?? 'guest'), ranked.indexOf(after ?? 'guest')];
  return to >= 0 && (from < 0 || to < from) ? `${who} would get the role ${String(after)}.` : undefined;
}

function difference(all: unknown, without: unknown): unknown[] {
  const rest: unknown[] = Array.isArray(without) ? without : [];
  return Array.isArray(all) ? all.filter((one) => !rest.includes(one)) : [];
}
