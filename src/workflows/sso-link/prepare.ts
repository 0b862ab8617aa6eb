import type { IdpPeople } from '../../access/sso/idp.js';
import { chosenProviders, type ProviderFacts, readProviders } from '../../access/sso/providers.js';
import { linkRisks, lockOutReasons, memberName, type WaysIn } from '../../access/sso/way-in.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { emailKey } from '../../base/name.js';
import { counted } from '../../output/counted.js';
import type { Reading } from '../../snapshot/unread.js';

export interface LinkRequest {
  reading: Reading;
  /** Who is to be linked, without the canary. */
  members: readonly Member[];
  canary: Member | undefined;
  /** The people of the identity provider, where a file tells them. */
  idp: IdpPeople | undefined;
  /** The provider they are to sign in through, by id or label. */
  provider: string | undefined;
  /** The time where the platform's is not known, in milliseconds. */
  nowMs(): number;
}

export interface PreparedLinks {
  /** Those who are not linked yet. */
  members: Member[];
  canary: Member | undefined;
  /** The canary, where it was linked before. */
  linkedCanary: Member | undefined;
  /** How many were linked before. */
  already: number;
  providers: readonly ProviderFacts[];
  /** Why it is refused, as sentences; empty where it is not. */
  reasons: string[];
  /** What to know before it starts, as sentences; the first says that there is no way back. */
  risks: string[];
}

export const noInverse =
  'Linking has no inverse: no operation unlinks a member, who then signs in through SSO for good.';

/**
 * Reads what decides whether linking may begin.
 * @throws DocsError not-found where there is no such provider; as `Client.call`
 */
export async function prepareLinks(request: LinkRequest): Promise<PreparedLinks> {
  const { members, canary, idp } = request;
  const open = (all: readonly Member[]) => all.filter(({ sso }) => !sso);
  const [toLink, first] = [open(members), open(canary === undefined ? [] : [canary])];
  const everybody = [...first, ...toLink];
  const ways = await waysIn(
    request,
    everybody.map(({ id }) => id),
  );
  const missing = idp === undefined ? [] : everybody.filter((member) => !inFile(idp)(member));
  return {
    members: toLink,
    canary: first[0],
    linkedCanary: canary?.sso ? canary : undefined,
    already: members.length - toLink.length + (canary === undefined ? 0 : 1) - first.length,
    providers: ways.providers ?? [],
    reasons:
      everybody.length === 0
        ? []
        : [
            ...roleReasons(ways),
            ...lockOutReasons(ways),
            ...missing.map(missingWords),
            ...canaryReasons(first),
          ],
    risks: [noInverse, ...linkRisks(ways), ...disabledRisks(toLink)],
  };
}

/**
 * Who could sign in, before and after these members are linked; and whether the token may link.
 * @param linking their ids
 */
export async function waysIn(
  { reading, provider, idp, nowMs }: Pick<LinkRequest, 'reading' | 'provider' | 'idp' | 'nowMs'>,
  linking: readonly string[],
): Promise<WaysIn & { mayLink: boolean }> {
  const { client, organizationId } = reading;
  const { sso, permissions } = await client.call(getOrg, { path: { organizationId } });
  const { facts } = await readProviders(reading, () => client.platformNowMs ?? nowMs());
  const admins: Member[] = [];
  const query = { role: 'admin' } as const;
  for await (const one of client.call(listMembers, { path: { organizationId }, query }))
    if (one.role === 'admin') admins.push(one);
  return {
    mayLink: permissions?.admin !== false,
    enforced: sso ?? null,
    providers: facts && chosenProviders(facts, provider),
    admins,
    linking: new Set(linking),
    ...(idp !== undefined && { inIdp: inFile(idp) }),
  };
}

function inFile({ people }: IdpPeople): (member: Member) => boolean {
  const active = new Set(people.filter((one) => one.active !== false).map(({ email }) => emailKey(email)));
  return ({ user }) => user.email !== undefined && active.has(emailKey(user.email));
}

/** Without the role, every request would be refused. */
function roleReasons({ mayLink }: { mayLink: boolean }): string[] {
  return mayLink ? [] : ['The token in use does not have the role admin, which linking requires.'];
}

function missingWords(member: Member): string {
  return `${memberName(member)} is not in the identity provider under this email, or is disabled there.`;
}

function canaryReasons(canaries: readonly Member[]): string[] {
  return canaries
    .filter(({ disabled }) => disabled)
    .map((one) => `${memberName(one)} is disabled, so cannot show that signing in works.`);
}

function disabledRisks(members: readonly Member[]): string[] {
  const disabled = members.filter((one) => one.disabled).length;
  return disabled === 0 ? [] : [`${counted(disabled, 'disabled member')} would be linked, too.`];
}
