import type { Member } from '../../api/resources/members.js';
import type { Role } from '../../api/shapes.js';
import type { Weighed } from '../weigh.js';
import { layersOf } from './layers.js';

/** Why a role is what it is, as sentences. Titles in them are the platform's text. */

export function whyWords(weighed: Weighed): string {
  const { reason, place } = weighed;
  const words: Record<Weighed['reason'], () => string> = {
    admin: () => 'An admin of the organization has admin everywhere.',
    default: () => `Organization role and default levels explain it: ${decidingWords(weighed)}.`,
    granted: () => `Granted ${grantedTo(weighed)}. Default levels alone give ${givenWords(weighed)}.`,
    none: () => `No access: ${decidingWords(weighed)}.`,
    unexplained: () =>
      `Organization role and default levels would give ${givenWords(weighed)}, but the platform reports less and does not tell why.`,
    unknown: () => unknownWords(weighed),
  };
  const least =
    place.object === 'collection' && weighed.atLeast
      ? ' Grants may give more: the platform does not list them for collections.'
      : '';
  return words[reason]() + least;
}

/** To whom a grant is: `to them or to one of their teams (Writers, Editors)`. */
function grantedTo({ teams }: Weighed): string {
  if (teams === undefined) return 'to them or to a team of theirs; their teams could not be read';
  if (teams.length === 0) return 'to them directly, as they are in no team';
  const titles = teams.map(({ title }) => title).join(', ');
  const one = teams.length === 1 ? 'to their team' : 'to one of their teams';
  return `to them or ${one} (${titles}); the platform does not tell which`;
}

function givenWords({ byLevels }: Weighed): string {
  return byLevels ?? 'nothing';
}

/** What the layer that decides does: `the default level of Handbook is read`. */
function decidingWords(weighed: Weighed): string {
  const layer = layersOf(weighed).find(({ decides }) => decides);
  if (layer === undefined) return 'the default level is not known';
  const { title, level, role, why } = layer;
  if (layer.layer === 'organization-role')
    return role === null ? why : `the organization role is ${role}, and the default level allows it`;
  const is =
    level === 'inherit' ? 'is private and inherits nothing' : `has the default level ${level ?? 'none'}`;
  return `the ${layer.layer} ${title} ${is}`;
}

function unknownWords({ role, level, place }: Weighed): string {
  if (role === 'unknown' && place.object === 'space') return 'The role could not be read.';
  const missing = level.known ? '' : level.missing;
  const what =
    missing === place.id
      ? `the ${place.object} has the default level ${JSON.stringify(place.defaultLevel)}, which is not known`
      : `the level of collection ${missing} could not be read`;
  return `What gives the role is not known: ${what}.`;
}

/** What a role is on a site. */
export function siteWords(role: Role | null): string {
  if (role === null)
    return 'A guest has no role in the organization; the platform does not tell what guests may do on a site.';
  return 'On a site the organization role decides; sites have no levels of their own.';
}

export function disabledWords({ disabled }: Pick<Member, 'disabled'>): string {
  return disabled ? 'The member is disabled; the platform still lists this role.' : '';
}
