import type { Resource } from '../reads.js';

/**
 * What the platform shows of a field in another form than it takes it. Rules and the kinds of the organization as code
 * read it in the same way; a plan without changes loads no rules for it.
 */

/** The platform returns '' where a space has no emoji. */
export const emoji = (space: Resource) => space.emoji || null;

/** The platform returns the default team as a resource and takes it as an id. */
export const defaultTeam = (provider: Resource) => (provider.defaultTeam as { id?: string } | undefined)?.id;

/** The proxy as an update sets it: domain and subdirectory, without scheme (platform-facts, "Shapes"). */
export const proxy = (site: Resource) =>
  (site.proxy as { origin?: string } | undefined)?.origin?.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** The space that a section shows first. */
export function defaultSiteSpace({ siteSpaces }: Resource): unknown {
  return (siteSpaces as Resource[] | undefined)?.find((one) => one.default === true)?.id;
}

/** A section or a group among its siblings. */
export type Sibling = { type: 'site-section' | 'site-section-group'; id: string };

/** The top level of a site in order: groups, and sections outside of groups. Empty groups are not shown. */
export function topLevel(sections: readonly Resource[]): Sibling[] {
  const order = sections.map(({ id, sectionGroup: group }) => ({
    type: group ? ('site-section-group' as const) : ('site-section' as const),
    id: String(group || id),
  }));
  return order.filter((one, index) => one.id !== order[index - 1]?.id);
}

/** What the list of the field values of a space shows of each field. */
export interface FieldEntry {
  customField: { name: string; type?: string };
  value?: unknown;
}

/** The values of all fields by name, none as what clears it or as null. */
export function valuesByName(entries: readonly FieldEntry[]): Record<string, unknown> {
  const entryOf = ({ customField: { name, type }, value }: FieldEntry) =>
    [name, value ?? empty(type) ?? null] as const;
  return Object.fromEntries(entries.map(entryOf));
}

/** The value that stands for none, for the types that have one: setting it clears the value. */
export function empty(type: unknown): unknown {
  return type === 'text' ? '' : type === 'multiselect' ? [] : undefined;
}
