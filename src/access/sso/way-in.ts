import type { Member } from '../../api/resources/members.js';
import { safeLine } from '../../output/text.js';
import { isActiveAdmin } from '../guards.js';
import { type ProviderFacts, providerWords } from './providers.js';

/**
 * Who could still administer an organization once members are linked: a linked member signs in through SSO alone;
 * where SSO is enforced, nobody else signs in.
 */

export interface WaysIn {
  /** null: not told, which counts as enforced. */
  enforced: boolean | null;
  /** Those that members are to sign in through; null where they could not be read. */
  providers: readonly ProviderFacts[] | null;
  /** All admins. */
  admins: readonly Member[];
  /** Ids of those who are to be linked. */
  linking: ReadonlySet<string>;
  /** Whether the identity provider would let a member in; undefined where that is not known. */
  inIdp?(member: Member): boolean;
}

/** Why no admin would be left with a way in, as sentences; empty where one is. */
export function lockOutReasons({ enforced, providers, admins, linking, inIdp }: WaysIn): string[] {
  const active = admins.filter(isActiveAdmin);
  const bySso = active.filter(({ id, sso }) => sso || linking.has(id));
  const byOther = enforced === false ? active.filter((one) => !bySso.includes(one)) : [];
  if (byOther.length > 0) return [];
  const isChanged = active.some(({ id, sso }) => !sso && linking.has(id));
  // Without enforcement, only linking the last admins takes something away.
  if (enforced === false && !isChanged) return [];
  const able = inIdp === undefined ? bySso : bySso.filter(inIdp);
  const broken = brokenWords(providers);
  const after = enforced === false ? 'All admins would sign in with SSO' : enforcedWords(enforced);
  if (bySso.length === 0)
    return [`${after}, and no admin is linked or would be, so no admin would be left with a way in.`];
  return [
    ...(broken === undefined ? [] : [`${after}, and ${broken}, so no admin would be left with a way in.`]),
    ...(able.length > 0
      ? []
      : [
          `${after}, and none of them is active in the identity provider, so no admin would be left with a way in.`,
        ]),
  ];
}

function enforcedWords(enforced: boolean | null): string {
  return enforced === null ? 'The platform does not tell whether SSO is enforced' : 'SSO is enforced';
}

/** What linking puts at risk although an admin is left with a way in, as sentences. */
export function linkRisks(ways: WaysIn): string[] {
  const { enforced, providers, admins, linking } = ways;
  const broken = brokenWords(providers);
  const left = admins.filter((one) => isActiveAdmin(one) && !one.sso && !linking.has(one.id));
  const touched = admins.some((one) => isActiveAdmin(one) && !one.sso && linking.has(one.id));
  return [
    ...(broken === undefined ? [] : [`Linked members could not sign in now: ${broken}.`]),
    ...(enforced === false && touched && left.length === 0
      ? ['No admin would be left who signs in without SSO.']
      : []),
  ];
}

/** Why no provider lets anybody in; undefined where one does. */
function brokenWords(providers: WaysIn['providers']): string | undefined {
  if (providers === null) return 'the SAML providers cannot be read';
  if (providers.length === 0) return 'there is no SAML provider';
  if (providers.some(({ broken }) => broken.length === 0)) return undefined;
  return `no SAML provider works (${providers.map((one) => providerWords(one, one.broken)).join(', ')})`;
}

/** `ada@acme.example`, else the id. */
export function memberName({ id, user }: Member): string {
  return safeLine(user.email ?? id);
}
