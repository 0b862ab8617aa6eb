import { defined, isObject } from '../base/values.js';

/** Resources as the platform shows them, for comparison. */

export type Item = Readonly<Record<string, unknown>>;

/** What differs, by the name of the field. */
export type Fields = Record<string, { before?: unknown; after?: unknown }>;

/** The items of a list, as a page or by themselves, by their ids. */
export function itemsShown(value: unknown): Map<string, Item> {
  const items = isObject(value) ? value.items : value;
  const objects = Array.isArray(items) ? items.filter(isObject).map(plain) : [];
  return new Map(objects.flatMap((item) => (idOf(item) === undefined ? [] : [[idOf(item) ?? '', item]])));
}

/** A membership as the person with the role in the team; whatever else the person has is not in the team. */
function plain(item: Item): Item {
  const { organization, team } = item;
  if (!isObject(organization) || !isObject(team)) return item;
  return { id: organization.id, user: organization.user, role: team.role };
}

export function idOf(value: Item | undefined): string | undefined {
  const id = value?.id ?? (isObject(value?.customField) ? value.customField.id : undefined);
  return typeof id === 'string' ? id : undefined;
}

const titles = ['title', 'displayName', 'name', 'label', 'subject', 'email'] as const;

export function titleOf(value: Item | undefined): string | undefined {
  if (value === undefined) return undefined;
  for (const key of titles) {
    const text = value[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  const within = [value.user, value.space, value.customField].find(isObject);
  return within && titleOf(within);
}

/** Times and addresses that change by themselves, and the ids of revisions, say nothing about a change. */
const ownChanges = new Set([
  ...['updatedAt', 'createdAt', 'lastSeenAt', 'editedAt', 'urls', 'url', 'object', 'permissions'],
  ...['revision', 'revisionInitial', 'revisionMerged', 'revisionMergedAncestor'],
]);

/** @returns the fields that differ */
export function differences(before: Item, after: Item): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !ownChanges.has(name),
  );
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, defined({ before: before[name], after: after[name] })]),
  );
}
