import { type Collection, listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { listMemberSpaces } from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { emojiCharacter } from '../../base/text-encoding.js';
import { counted, grouped } from '../../output/text.js';
import { orgPath, spacePath } from '../parts/address.js';
import { badge, copyable, facts, type Html, html, name, type Part, table, time } from '../parts/html.js';
import { type InOrg, inOrg, type View } from '../parts/visit.js';

/** The organizations of the sandbox, and the spaces of one. */

export const organizationsView: View = async (visit) => {
  const { db } = visit.parts;
  const ids = db.all<{ id: string }>('SELECT id FROM organizations ORDER BY created_at, id');
  const rows: Part[][] = [];
  for (const { id } of ids) {
    try {
      const { org } = await inOrg(visit, id);
      rows.push([html`<a href="${orgPath(id)}">${name(org.title)}</a>`, org.plan, time(org.createdAt)]);
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
      rows.push([html`<code>${id}</code>`, 'It has no members, so nobody can see it.', '']);
    }
  }
  const about = html`<p class="lead">What is in this sandbox, as the admin of each organization sees it.
Pages only show; change things with <code>docs</code> or the API, and reload.</p>`;
  return {
    title: 'Organizations',
    body: [about, table('Organizations', ['Title', 'Plan', 'Created'], rows)],
  };
};

export const orgView: View = async (visit, [orgId = '']) => {
  const { org, trail, beside } = await inOrg(visit, orgId);
  const body = facts([
    ['Id', copyable(org.id, 'the id')],
    ['Type', org.type],
    ['Plan', org.plan],
    ['Created', time(org.createdAt)],
    ['Hostname', org.hostname],
    ['Default role', org.defaultRole === null ? 'guest' : org.defaultRole],
    ['Email domains', org.emailDomains.join(', ')],
    ['Single sign-on', org.sso === true ? 'enforced' : 'not enforced'],
    ['Invite links', org.inviteLinks ? 'on' : 'off'],
  ]);
  return { title: org.title, trail: trail.slice(0, 1), beside, body };
};

/** Collections and spaces with what is in them. */
interface Branch {
  collection?: Collection;
  branches: Branch[];
  spaces: Space[];
}

export const spacesView: View = async (visit, [orgId = '']) => {
  const found = await inOrg(visit, orgId);
  const { trail, beside } = found;
  const { top, count } = await readTree(found);
  const body =
    count === 0
      ? html`<p>No spaces.</p>`
      : [html`<p class="soft">${counted(count, 'space')}, in their collections.</p>`, branchHtml(top, orgId)];
  return { title: 'Spaces', trail, beside, body };
};

/** As the platform lists them: the spaces of each collection in their order, the others as the member has them. */
async function readTree({ client, org, user }: InOrg): Promise<{ top: Branch; count: number }> {
  const path = { organizationId: org.id };
  const top: Branch = { branches: [], spaces: [] };
  const byId = new Map<string, Branch>();
  for await (const collection of client.call(listCollections, { path }))
    byId.set(collection.id, { collection, branches: [], spaces: [] });
  const seen = new Set<string>();
  for (const [collectionId, branch] of byId) {
    const above = byId.get(branch.collection?.parent ?? '') ?? top;
    above.branches.push(branch);
    for await (const space of client.call(listCollectionSpaces, { path: { collectionId } })) {
      if (space.parent !== collectionId || seen.has(space.id)) continue;
      seen.add(space.id);
      branch.spaces.push(space);
    }
  }
  const own = { path: { ...path, userId: user.userId }, query: { order: 'asc' } } as const;
  for await (const { space } of client.call(listMemberSpaces, own)) {
    if (seen.has(space.id)) continue;
    seen.add(space.id);
    (byId.get(space.parent ?? '') ?? top).spaces.push(space);
  }
  return { top, count: seen.size };
}

function branchHtml({ branches, spaces }: Branch, orgId: string): Html {
  const below = branches.map(
    (branch) => html`<li><details open><summary>${name(branch.collection?.title ?? '')}
<span class="soft">${grouped(sizeOf(branch))}</span></summary>
${branchHtml(branch, orgId)}</details></li>`,
  );
  return html`<ul class="tree">${below}${spaces.map((space) => spaceItem(space, orgId))}</ul>`;
}

function sizeOf({ branches, spaces }: Branch): number {
  return branches.reduce((sum, branch) => sum + sizeOf(branch), spaces.length);
}

function spaceItem(
  { id, title, emoji, visibility, changeRequestsOpen, editMode }: Space,
  orgId: string,
): Html {
  const open = changeRequestsOpen > 0 && badge(`${grouped(changeRequestsOpen)} open`);
  const sign = emojiOf(emoji);
  return html`<li><a href="${spacePath(orgId, id)}">${sign}${name(title)}</a>
<span class="soft">${visibility}</span> ${open} ${editMode === 'locked' && badge('locked')}</li>`;
}

export function emojiOf(text: string | undefined): Part {
  if (text === undefined || text === '') return undefined;
  return html`<span aria-hidden="true">${emojiCharacter(text)}</span> `;
}
