import type { FlagChange, Parse } from '../cli/declare/command.js';
import type { KindName } from '../cli/resolve/catalogue.js';

/** `--before` and `--after`: the neighbour in a new order, as the platform's `position` wants it. */

/** The two flags, each filling its part of `position`. */
type PositionFlags = Record<'position.before' | 'position.after', FlagChange>;

/**
 * Among spaces and collections: an id of the usual kind, or `space:<id>`, `collection:<id>` for a
 * neighbour of the other.
 */
export function besideSpace(usual: 'space' | 'collection'): PositionFlags {
  const other = usual === 'space' ? 'collection' : 'space';
  return position('<id>', usual, `this ${usual}, or ${other}:<id>`, (typed) => {
    const { kind, id } = split(typed, usual, ['space', 'collection']);
    return { type: kind, [kind]: id };
  });
}

/** Among section groups and sections: the id of a group, or `section:<id>`, `group:<id>`. */
export const besideGroup: PositionFlags = position(
  '<id>',
  'group',
  'this section group, or section:<id>',
  (typed) => {
    const { kind, id } = split(typed, 'group', ['section', 'group']);
    return { type: kind === 'section' ? 'site-section' : 'site-section-group', id };
  },
);

/** Among the sections of a site: the id of a section. */
export const besideSection: PositionFlags = position('<section>', 'section', 'this section', (id) => ({
  type: 'site-section',
  siteSection: id,
}));

/** Among the spaces of a site: the id of a site space. */
export const besideSiteSpace: PositionFlags = position(
  '<site-space>',
  'site-space',
  'this site space',
  (id) => ({
    type: 'site-space',
    siteSpace: id,
  }),
);

function position(value: string, kind: KindName, what: string, parse: Parse): PositionFlags {
  const shared = { value, kind, withKind: true, parse } as const;
  return {
    'position.before': { ...shared, name: 'before', description: `Put it before ${what}` },
    'position.after': { ...shared, name: 'after', description: `Put it after ${what}` },
  };
}

/** Reads `kind:id`, or an id alone, which is of the usual kind. */
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
