import type { FlagChange, Parse, Says } from '../../cli/declare/command.js';
import type { ResourceName } from '../../model/resources.js';

/** Sentences, columns and flags that several groups share. */

/** The organization that the answer names, else the one that was sent. */
export const saysTransfer: Says = ({ sentence, named, textOf, sent }) =>
  `${sentence} to ${named('organization', textOf('organization') ?? sent('organization'))}`;

/** Columns of spaces. */
export const spaceColumns = [
  'title',
  'visibility',
  { path: 'editMode', short: 'EDIT' },
  { path: 'changeRequestsOpen', short: 'OPEN CRS' },
  'comments',
  'updatedAt',
  'id',
] as const;

/** Columns of the links of a space or page. */
export const linkColumns = [
  { path: 'status', as: 'state' },
  { path: 'targetReference.kind', label: 'TARGET' },
  { path: 'targetReference.url', label: 'URL', as: 'url' },
  { path: 'targetReference.page', label: 'PAGE' },
  { path: 'targetReference.file', label: 'FILE' },
  { path: 'targetReference.space', label: 'SPACE' },
  { path: 'locationReferences.page', label: 'ON PAGE' },
  'relation',
] as const;

/** `--before` and `--after`: the neighbour in a new order, as the platform's `position` wants it. */

/** The two flags, each filling its part of `position`. */
type PositionFlags = Record<'position.before' | 'position.after', FlagChange>;

/** Among spaces and collections: an id of either, with or without its kind. */
export function besideSpace(usual: 'space' | 'collection'): PositionFlags {
  const other = usual === 'space' ? 'collection' : 'space';
  return position('<id>', [usual, other], `this ${usual} or ${other}`, (typed) => {
    const { kind, id } = split(typed, usual, ['space', 'collection']);
    return { type: kind, [kind]: id };
  });
}

/** Among section groups and sections: an id of either, with or without its kind. */
export const besideGroup: PositionFlags = position(
  '<id>',
  ['section-group', 'section'],
  'this section group or section',
  (typed) => {
    const { kind, id } = split(typed, 'group', ['section', 'group']);
    return { type: kind === 'section' ? 'site-section' : 'site-section-group', id };
  },
);

/** Among the sections of a site: the id of a section. */
export const besideSection: PositionFlags = position('<section>', ['section'], 'this section', (id) => ({
  type: 'site-section',
  siteSection: id,
}));

/** Among the spaces of a site: the id of a site space. */
export const besideSiteSpace: PositionFlags = position(
  '<site-space>',
  ['site-space'],
  'this site space',
  (id) => ({
    type: 'site-space',
    siteSpace: id,
  }),
);

/** @param kinds of the neighbour; where there are several, `parse` gets its id with its kind */
function position(
  value: string,
  [kind, ...otherKinds]: readonly [ResourceName, ...ResourceName[]],
  what: string,
  parse: Parse,
): PositionFlags {
  const shared = { value, kind, parse, ...(otherKinds.length > 0 && { otherKinds }) } as const;
  return {
    'position.before': { ...shared, name: 'before', description: `Put it before ${what}` },
    'position.after': { ...shared, name: 'after', description: `Put it after ${what}` },
  };
}

/** Reads `kind:id`; an id that was not looked up is of the usual kind. */
function split(
  typed: string | string[],
  usual: string,
  kinds: readonly string[],
): { kind: string; id: string } {
  const [, kind = usual, id] = new RegExp(`^(?:(${kinds.join('|')}):)?([^:]+)$`).exec(String(typed)) ?? [];
  if (id === undefined) {
    throw new Error(`must be an id, ${kinds.map((name) => `${name}:<id>`).join(' or ')}, not "${typed}"`);
  }
  return { kind, id };
}
