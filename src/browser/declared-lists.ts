import type { LooseInput } from '../api/client.js';
import type { AnyOperation, Input } from '../api/operation.js';
import { commandAt } from '../cli/declare/outline.js';
import { viewOf } from '../cli/declare/shown.js';
import { type HtmlPart, html } from '../document/html.js';
import { cellHtml, command } from '../reports/markup.js';
import { rowsPart } from '../reports/rows-part.js';
import { placed } from './actions.js';
import { signInFacts } from './list-pages.js';
import { cutOf, name, onePage, orgPath, type Page, pageLinks, pageQuery, spacePath, table } from './parts.js';
import { inOrg, type View, type Visit } from './visit.js';

/** Lists that a command prints: the page shows the command, and its columns. */

export interface DeclaredList {
  title: string;
  /** The words of the command, such as `teams list`. */
  words: readonly string[];
  /** Names of the variable segments of its operation, behind the organization. */
  parameters?: readonly string[];
  /** The page of an item. */
  href?(orgId: string, item: Readonly<Record<string, unknown>>): string;
  /** Whether its `search` is offered. */
  searches?: true;
  /** What stands above and below it. */
  beside?(visit: Visit, ids: readonly string[]): Promise<{ lead?: HtmlPart; more?: HtmlPart }>;
}

export function listView(list: DeclaredList): View {
  return async (visit, ids): Promise<Page> => {
    const { trail } = await inOrg(visit, ids[0] ?? '');
    const { lead, more } = (await list.beside?.(visit, ids)) ?? {};
    return { title: list.title, trail, body: [lead, await listHtml(visit, list, ids), more] };
  };
}

/** The list itself, for a page that shows more. @param ids of the organization, and of `parameters` */
export async function listHtml(visit: Visit, list: DeclaredList, ids: readonly string[]): Promise<HtmlPart> {
  const { title, words, parameters = [], href, searches } = list;
  const [orgId = ''] = ids;
  const { client } = await inOrg(visit, orgId);
  const { command: declared } = await commandAt(visit.settings.groups, words.join(' '));
  const [op] = declared.operations;
  if (op === undefined) throw new Error(`${words.join(' ')} has no operation.`);
  const page = visit.query.get('page') ?? undefined;
  const search = searches && (visit.query.get('search') ?? '');
  const names = ['organizationId', ...parameters];
  const input: LooseInput = {
    path: Object.fromEntries(names.map((one, at) => [one, ids[at] ?? ''])),
    query: { ...pageQuery(page), ...(search && { search }) },
  };
  const cut = await cutOf(client.call(op as PagedOperation, input as Input<PagedOperation>, onePage));
  const part = rowsPart(title, cut.items, viewOf(declared, op));
  const moment = { nowMs: visit.parts.clock.now() };
  const rows = part.rows.map((row, at) =>
    row.map((cell, column): HtmlPart => {
      if (column === 0 && href !== undefined)
        return html`<a href="${href(orgId, cut.items[at] as Record<string, unknown>)}">${name(String(cell ?? ''))}</a>`;
      return cellHtml(cell, part.columns[column]?.as ?? 'text', moment);
    }),
  );
  const heads = part.columns.map(({ label }) => label);
  const typed = [...words, ...ids.slice(1), ...(search ? ['--search', search] : [])];
  return [
    html`<p>${command(placed(typed, visit.settings))}</p>`,
    searches && searchHtml(visit.at, search || ''),
    rows.length === 0 ? html`<p class="empty">None.</p>` : table(title, heads, rows),
    pageLinks(cut, visit.at, { search: search || undefined, page }),
  ];
}

/** A list, whatever it is of. */
type PagedOperation = AnyOperation & { returns: { kind: 'page' } };

function searchHtml(at: string, search: string): HtmlPart {
  return html`<form class="tools" role="search" action="${at}" method="get">
<label for="search">Name or email</label> <input id="search" name="search" type="search" value="${search}">
<button type="submit">Search</button></form>`;
}

const of = (part: string, key = 'id') => ({
  href: (orgId: string, item: Readonly<Record<string, unknown>>) => orgPath(orgId, part, String(item[key])),
});

/** By the last segment of their paths. */
export const lists: Readonly<Record<string, DeclaredList>> = {
  collections: { title: 'Collections', words: ['collections', 'list'] },
  members: { title: 'Members', words: ['members', 'list'], ...of('members'), searches: true },
  teams: { title: 'Teams', words: ['teams', 'list'], ...of('teams') },
  sites: { title: 'Sites', words: ['sites', 'list'], ...of('sites') },
  openapi: { title: 'OpenAPI specs', words: ['openapi', 'list'], ...of('openapi', 'slug') },
  'custom-fields': { title: 'Custom fields', words: ['custom-fields', 'list'] },
  saml: { title: 'SSO and SAML', words: ['saml', 'list'], beside: signInFacts },
  translations: { title: 'Translations', words: ['translations', 'list'] },
};

export const teamMembers: DeclaredList = {
  title: 'Members',
  words: ['teams', 'members', 'list'],
  parameters: ['teamId'],
  href: (orgId, { organization }) => orgPath(orgId, 'members', String((organization as { id: string }).id)),
};

export const memberSpaces: DeclaredList = {
  title: 'Spaces',
  words: ['members', 'spaces'],
  parameters: ['userId'],
  href: (orgId, { space }) => spacePath(orgId, (space as { id: string }).id),
};
