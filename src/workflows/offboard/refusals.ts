import { calledMember } from '../../access/member-refusals.js';
import { nameOf } from '../../access/person.js';
import type { Organization } from '../../api/resources/orgs.js';
import { safeLine } from '../../output/text.js';
import type { Holdings } from './holdings.js';
import { type Leaving, ownerless } from './plan.js';

/** Every reason against a removal that is known without the owner of the token. */
export function reasonsAgainst(
  leaving: Leaving,
  { permissions }: Organization,
  lastAdmin: readonly string[],
): string[] {
  // Without the role, most requests would be refused halfway.
  const isAdmin = permissions?.admin !== false;
  return [
    ...(isAdmin ? [] : ['The token in use does not have the role admin, which this requires.']),
    ...lastAdmin,
    ...heirReasons(leaving),
    ...ownerlessReasons(leaving),
    ...unknownTeamsReasons(leaving.holdings),
  ];
}

function heirReasons({ holdings, heir }: Leaving): string[] {
  if (heir === undefined) return [];
  const leaves = holdings.some(({ member }) => member.id === heir.id);
  const cannot = `${calledMember(heir)} cannot take over teams`;
  return [
    ...(leaves ? [`${cannot}: the member is to be removed, too.`] : []),
    ...(heir.disabled ? [`${cannot}: the member is disabled.`] : []),
  ];
}

function ownerlessReasons(leaving: Leaving): string[] {
  if (leaving.heir !== undefined) return [];
  return ownerless(leaving).map(({ title, owners }) => {
    const names = owners.map((owner) => safeLine(nameOf(owner))).join(' and ');
    const only = owners.length === 1 ? 'is the only owner' : 'are the only owners';
    return `${names} ${only} of team ${safeLine(title)}; name a new owner with --reassign-teams-to.`;
  });
}

/** Without all teams and all their owners, a team may be left without one. */
function unknownTeamsReasons(holdings: readonly Holdings[]): string[] {
  return holdings.flatMap(({ member, teams, teamsKnown, unseen }) => {
    const name = calledMember(member);
    if (!teamsKnown) return [`Cannot read the teams of ${name}.`];
    return teams
      .filter(({ id, role }) => role === 'owner' && unseen.some((one) => one.id === id))
      .map(({ title }) => `Cannot read whether ${name} is the only owner of team ${safeLine(title)}.`);
  });
}
