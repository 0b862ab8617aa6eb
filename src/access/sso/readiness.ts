import { listMembers } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import type { DocsError } from '../../base/errors.js';
import { type Reading, readFailure } from '../../reading/reading.js';
import type { IdpPeople } from './idp.js';
import { blockersOf, type Judged, warningsOf } from './issues.js';
import { chosenProviders, readProviders } from './providers.js';
import { type Readiness, type ReadinessRow, type RowFlag, type RowStatus, rowStatuses } from './report.js';
import { Comparison } from './rows.js';

export interface ReadinessRequest {
  reading: Reading;
  /** The people of the identity provider; undefined where there is no file. */
  idp: IdpPeople | undefined;
  /** The provider that members are to sign in through, by id or label; undefined for any. */
  provider: string | undefined;
  /** The time where the platform's is not known, in milliseconds. */
  nowMs(): number;
  /** Called with the number of members read. */
  onRead?(members: number): void;
}

/**
 * Reads how far an organization is from enforcing SSO. All rows are held: some 400 bytes a member.
 * What cannot be read is in `unread`.
 * @throws DocsError not-found where there is no such provider; where the organization itself cannot be read
 */
export async function readReadiness(request: ReadinessRequest): Promise<Readiness> {
  const { reading, idp, provider, nowMs, onRead = () => {} } = request;
  const { client, organizationId, signal } = reading;
  const organization = await client.call(getOrg, { path: { organizationId } });
  const unread: { what: string; error: DocsError }[] = [];
  const { facts: providers, error } = await readProviders(reading, () => client.platformNowMs ?? nowMs());
  if (error !== undefined) unread.push({ what: 'SAML providers', error });
  const comparison = new Comparison(idp, organization.emailDomains);
  let [members, whole] = [0, true];
  try {
    for await (const member of client.call(listMembers, { path: { organizationId } })) {
      comparison.add(member);
      members += 1;
      onRead(members);
    }
  } catch (cause) {
    whole = false;
    unread.push({ what: 'members', error: readFailure(cause, signal) });
  }
  const rows = sorted(comparison.rows(whole));
  const judged: Judged = {
    enforced: organization.sso ?? null,
    providers,
    chosen: providers && chosenProviders(providers, provider),
    idp: factsOf(idp),
    rows,
    whole,
  };
  const { enforced } = judged;
  const blockers = blockersOf(judged);
  const counts = countsOf(rows, members);
  const ready = blockers.length === 0 && unread.length === 0 && enforced !== null && counts.unknown === 0;
  return {
    organization: { id: organizationId, title: organization.title },
    ...{ enforced, ready, counts, providers, idp: judged.idp, blockers, warnings: warningsOf(judged) },
    unread: unread.map(({ what, error: cause }) => ({ what, error: cause.toJSON() })),
    rows,
  };
}

function factsOf(idp: IdpPeople | undefined): Readiness['idp'] {
  if (idp === undefined) return null;
  const { column, people, duplicates, withoutEmail, unknownStates } = idp;
  const states = [...unknownStates].map(([value, lines]) => ({ value, lines }));
  return { column, people: people.length, duplicates, withoutEmail, unknownStates: states };
}

function countsOf(rows: readonly ReadinessRow[], members: number): Readiness['counts'] {
  const statuses = new Map<RowStatus, number>();
  const flags = new Map<RowFlag, number>();
  for (const row of rows) {
    statuses.set(row.status, (statuses.get(row.status) ?? 0) + 1);
    for (const flag of row.flags) flags.set(flag, (flags.get(flag) ?? 0) + 1);
  }
  const of = (status: RowStatus) => statuses.get(status) ?? 0;
  const having = (flag: RowFlag) => flags.get(flag) ?? 0;
  return {
    members,
    ...{ admins: having('admin'), guests: having('guest'), linked: of('linked'), toLink: of('to-link') },
    ...{ emailMismatch: of('email-mismatch'), notInIdp: of('not-in-idp'), disabled: of('disabled') },
    ...{ unknown: of('unknown'), notInOrganization: of('not-in-organization') },
    ...{ breakGlass: having('break-glass'), outsideDomains: having('outside-domains') },
  };
}

/** What needs attention first; then by email. */
function sorted(rows: readonly ReadinessRow[]): ReadinessRow[] {
  const keyed = rows.map((row) => ({
    row,
    rank: rowStatuses.indexOf(row.status),
    key: row.email?.toLowerCase() ?? '',
  }));
  keyed.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ row }) => row);
}
