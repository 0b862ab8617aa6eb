import type { Listing } from '../api/client.js';
import { listCollections } from '../api/resources/collections.js';
import { listCustomFields } from '../api/resources/custom-fields.js';
import { getMember, listMemberSpaces, listMembers } from '../api/resources/members.js';
import { listOpenApiSpecs } from '../api/resources/openapi.js';
import { listSamlProviders } from '../api/resources/saml.js';
import { listSites } from '../api/resources/sites.js';
import type { Space } from '../api/resources/spaces.js';
import { listTeams } from '../api/resources/teams.js';
import { listTranslations } from '../api/resources/translations.js';
import { DocsError } from '../base/errors.js';
import { type HtmlPart, html } from '../document/html.js';
import { listFaults } from '../sandbox/server/faults.js';
import { findDefaults } from '../sandbox/server/tokens.js';
import { sourceOf } from '../sandbox/store/store.js';
import { offer, toldHtml } from './actions.js';
import { type Frame, homePath, name, orgPath, requestsPath, type Side } from './parts.js';
import { type InOrg, inOrg, seenAs, type Visit } from './visit.js';

/** What is beside every page: the systems of the organization that was looked at last, and those of the machine. */

export async function frameOf(visit: Visit): Promise<Frame> {
  const { parts, session, at, query } = visit;
  const { db, clock, origin } = parts;
  const found = await organizationOf(visit);
  const search = found && {
    action: orgPath(found.org.id, 'search'),
    value: at.endsWith('/search') ? (query.get('q') ?? '') : '',
  };
  return {
    at,
    source: `${sourceOf(db)} · ${new URL(origin()).host}`,
    sides: [...(found === undefined ? [] : [await organizationSide(visit, found)]), machineSide(visit)],
    search,
    above: [found && (await seenAsHtml(visit, found)), toldHtml(session)],
    clock: new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' '),
  };
}

/** The one that was looked at last, else the first; undefined where nobody sees it. */
async function organizationOf(visit: Visit): Promise<InOrg | undefined> {
  const { parts, session } = visit;
  for (const id of [session.org, findDefaults(parts.db).org])
    try {
      if (id !== undefined && id !== '') return await inOrg(visit, id);
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
    }
  return undefined;
}

/** The spaces that the user sees: what they have is counted without a list of its own. */
export async function spacesOf({ client, org, user }: InOrg): Promise<Space[]> {
  const path = { organizationId: org.id, userId: user.userId };
  const spaces: Space[] = [];
  for await (const { space } of client.call(listMemberSpaces, { path, query: { order: 'asc' } }))
    spaces.push(space);
  return spaces;
}

async function organizationSide({ parts: { db } }: Visit, found: InOrg): Promise<Side> {
  const { client, org } = found;
  const one = { path: { organizationId: org.id }, query: { limit: 1 } };
  const spaces = await spacesOf(found);
  const sum = (count: (space: Space) => number) => spaces.reduce((all, space) => all + count(space), 0);
  const counted = (rows: string) =>
    db.get<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`, org.id)?.count;
  const links: [label: string, part: string, count?: number | undefined][] = [
    ['Spaces', 'spaces', spaces.length],
    ['Collections', 'collections', await countOf(client.call(listCollections, one, firstOnly))],
    ['Members', 'members', await countOf(client.call(listMembers, one, firstOnly))],
    ['Teams', 'teams', await countOf(client.call(listTeams, one, firstOnly))],
    ['Sites', 'sites', await countOf(client.call(listSites, one, firstOnly))],
    ['Change requests', 'change-requests', sum((space) => space.changeRequestsOpen)],
    ['Comments', 'comments', sum((space) => space.comments)],
    ['OpenAPI specs', 'openapi', await countOf(client.call(listOpenApiSpecs, one, firstOnly))],
    ['Custom fields', 'custom-fields', await countOf(client.call(listCustomFields, one, firstOnly))],
    ['SSO and SAML', 'saml', await countOf(client.call(listSamlProviders, one, firstOnly))],
    ['Invites', 'invites', counted('invites WHERE org_id = ?')],
    ['Translations', 'translations', await countOf(client.call(listTranslations, one, firstOnly))],
    ['Trash', 'trash', counted('spaces WHERE org_id = ? AND deleted_at IS NOT NULL')],
  ];
  const overview = { label: 'Overview', href: orgPath(org.id), alone: true } as const;
  const others = links.map(([label, part, count]) => ({ label, href: orgPath(org.id, part), count }));
  return {
    label: org.title,
    links: [overview, ...others, { label: 'See as …', href: orgPath(org.id, 'see-as') }],
  };
}

/** For a list that is only counted: with `limit: 1`. */
export const firstOnly = { most: 1 } as const;

/** How long a list is; undefined where the user may not see it. */
export async function countOf(listing: Listing<unknown>): Promise<number | undefined> {
  try {
    for await (const { count } of listing.pages()) return count;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
  }
  return undefined;
}

function machineSide({ parts: { db } }: Visit): Side {
  const faults = listFaults(db).length;
  const links = [
    { label: 'Requests', href: requestsPath },
    { label: 'Clock', href: `${homePath}clock` },
    { label: 'Faults', href: `${homePath}faults`, ...(faults > 0 && { count: faults }) },
    { label: 'Seeds and reset', href: `${homePath}seeds` },
    { label: 'Tokens', href: `${homePath}tokens` },
  ];
  return { label: 'Machine', links };
}

/** Whom the pages of an organization are seen as, where the visitor chose somebody, and the way back. */
async function seenAsHtml(visit: Visit, { client, org, user }: InOrg): Promise<HtmlPart> {
  if (seenAs(visit, org.id) === undefined) return undefined;
  const path = { organizationId: org.id, userId: user.userId };
  const { user: shown, role } = await client.call(getMember, { path });
  const back = offer(visit, {
    action: 'see-as',
    label: 'See all again',
    fields: { org: org.id },
  });
  return html`<div class="warning seen"><p>You see ${name(org.title)} as ${name(shown.displayName)}, ${role ?? 'guest'}.</p>${back}</div>`;
}
