import { listChangeRequests } from '../api/resources/change-requests.js';
import { type Comment, listComments } from '../api/resources/comments.js';
import { getInvite } from '../api/resources/members.js';
import { listSsoLogins } from '../api/resources/saml.js';
import type { Space } from '../api/resources/spaces.js';
import { type HtmlPart, html } from '../document/html.js';
import { counted, grouped } from '../output/text.js';
import { badge, command, short } from '../reports/markup.js';
import { placed } from './actions.js';
import { cutOf, facts, name, onePage, type Page, pageQuery, spacePath, table, time } from './parts.js';
import { spacesOf } from './side.js';
import { inOrg, type View, type Visit } from './visit.js';

/** Lists of an organization. What is of spaces is read space by space, as the platform has no list of all. */

/** Rows of a list that is put together. */
const mostRows = 300;

interface List {
  heads: readonly string[];
  rows: readonly (readonly HtmlPart[])[];
  /** What is said where there is nothing. */
  empty: string;
  /** Above and below the table. */
  lead?: HtmlPart;
  more?: HtmlPart;
}

function listPage(title: string, trail: Page['trail'], { heads, rows, empty, lead, more }: List): Page {
  const body = [
    lead,
    rows.length === 0 ? html`<p class="empty">${empty}</p>` : table(title, heads, rows),
    more,
  ];
  return { title, ...(trail && { trail }), body };
}

export const changeRequestsView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const spaces = (await spacesOf(found)).filter(({ changeRequestsOpen }) => changeRequestsOpen > 0);
  const open: { space: Space; at: string; row: HtmlPart[] }[] = [];
  for (const space of spaces)
    for await (const one of found.client.call(listChangeRequests, { path: { spaceId: space.id } }))
      open.push({
        space,
        at: one.updatedAt,
        row: [
          html`<a href="${spacePath(orgId, space.id, 'change-requests', one.id)}">#${one.number} ${name(one.subject, 'No subject')}</a> ${one.outdated && badge('outdated', 'state')}`,
          html`<a href="${spacePath(orgId, space.id)}">${name(space.title)}</a>`,
          name(one.createdBy?.displayName ?? '', 'Unknown'),
          time(one.updatedAt),
          grouped(one.comments),
        ],
      });
  const rows = open.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ row }) => row);
  return listPage('Change requests', found.trail, {
    heads: ['Open change request', 'Space', 'Author', 'Updated', 'Comments'],
    rows: rows.slice(0, mostRows),
    empty: 'No change request is open.',
    more: shownOf(rows.length),
  });
};

export const commentsView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const spaces = (await spacesOf(found)).filter(({ comments }) => comments > 0);
  const all: { space: Space; comment: Comment }[] = [];
  for (const space of spaces) {
    const asked = {
      path: { spaceId: space.id },
      query: { ...pageQuery(undefined), format: 'markdown', status: 'open' },
    } as const;
    const { items } = await cutOf(found.client.call(listComments, asked, onePage));
    all.push(...items.map((comment) => ({ space, comment })));
  }
  const sorted = all.sort((a, b) => (a.comment.postedAt < b.comment.postedAt ? 1 : -1));
  const rows = sorted
    .slice(0, mostRows)
    .map(({ space, comment }): HtmlPart[] => [
      html`<span dir="auto">${short((comment.body.markdown ?? '').split('\n', 1)[0] ?? '', 90)}</span>`,
      name(comment.postedBy.displayName),
      html`<a href="${spacePath(orgId, space.id, 'comments')}">${name(space.title)}</a>`,
      time(comment.postedAt),
      grouped(comment.replies),
    ]);
  const heads = ['Open comment', 'Author', 'Space', 'Posted', 'Replies'];
  return listPage('Comments', found.trail, {
    heads,
    rows,
    empty: 'No comment is open.',
    more: shownOf(sorted.length),
  });
};

function shownOf(count: number): HtmlPart {
  return count > mostRows && html`<p class="soft">The latest ${grouped(mostRows)} of ${grouped(count)}.</p>`;
}

/** How people sign in, above the providers. */
export async function signInFacts(
  visit: Visit,
  [orgId = '']: readonly string[],
): Promise<{ lead: HtmlPart }> {
  const { client, org } = await inOrg(visit, orgId);
  const { items: logins } = await client.call(listSsoLogins, { path: { organizationId: orgId } });
  const lead = facts([
    ['Single sign-on', org.sso === true ? 'enforced' : 'not enforced'],
    ['Email domains', org.emailDomains.join(', ')],
    [
      'Sign-in pages',
      logins.length === 0
        ? 'none'
        : logins.map(({ label, startURL }) => html`${name(label)} <code>${startURL}</code><br>`),
    ],
  ]);
  return { lead };
}

export const invitesView: View = async (visit, [orgId = '']) => {
  const { client, org, trail } = await inOrg(visit, orgId);
  const sql = 'SELECT id FROM invites WHERE org_id = ? ORDER BY id';
  const ids = visit.parts.db.all<{ id: string }>(sql, orgId);
  const rows: HtmlPart[][] = [];
  for (const { id: inviteId } of ids) {
    const { role, redundant } = await client.call(getInvite, { path: { organizationId: orgId, inviteId } });
    rows.push([badge(role, 'role'), redundant ? 'gives less than the default role' : '', command(inviteId)]);
  }
  const lead = facts([['Invite links', org.inviteLinks ? 'on' : 'off']]);
  const more = html`<p class="soft">The API cannot list invites: it reads each by its id.</p>`;
  return listPage('Invites', trail, {
    heads: ['Role', 'Effect', 'Id'],
    rows,
    empty: 'No invites.',
    lead,
    more,
  });
};

/** The API lists no deleted spaces; the sandbox knows them. */
export const trashView: View = async (visit, [orgId = '']) => {
  const { trail } = await inOrg(visit, orgId);
  const sql = `SELECT id, title, deleted_at AS deletedAt FROM spaces
    WHERE org_id = ? AND deleted_at IS NOT NULL ORDER BY deleted_at DESC LIMIT ${mostRows}`;
  const deleted = visit.parts.db.all<{ id: string; title: string; deletedAt: number }>(sql, orgId);
  const rows = deleted.map(({ id, title, deletedAt }): HtmlPart[] => [
    name(title),
    time(new Date(deletedAt).toISOString()),
    command(placed(['spaces', 'restore', id], visit.settings)),
  ]);
  const lead = html`<p class="lead">A deleted space can be restored for seven days. ${counted(rows.length, 'space')} can be now; the API cannot list them.</p>`;
  return listPage('Trash', trail, {
    heads: ['Space', 'Deleted', 'Restore it'],
    rows,
    empty: 'The trash is empty.',
    lead,
  });
};
