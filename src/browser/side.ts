import { getMember } from '../api/resources/members.js';
import { DocsError } from '../base/errors.js';
import { type HtmlPart, html } from '../document/html.js';
import { listFaults } from '../sandbox/server/faults.js';
import { findDefaults } from '../sandbox/server/tokens.js';
import { sourceOf } from '../sandbox/store/store.js';
import { offer, toldHtml } from './actions.js';
import { type Frame, homePath, name, orgPath, requestsPath, type Side, type SideLink } from './parts.js';
import { systems } from './systems.js';
import { type InOrg, inOrg, seenAs, spacesOf, type Visit } from './visit.js';

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

async function organizationSide(visit: Visit, found: InOrg): Promise<Side> {
  const { id, title } = found.org;
  const spaces = await spacesOf(found);
  const links: SideLink[] = [{ label: 'Overview', href: orgPath(id), alone: true }];
  for (const { label, part, count } of systems)
    links.push({ label, href: orgPath(id, part), count: await count(found, visit, spaces) });
  return { label: title, links };
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
