import {
  getOpenApiContent,
  getOpenApiSpec,
  listOpenApiSpecs,
  listOpenApiVersions,
} from '../../api/resources/openapi.js';
import { listSites } from '../../api/resources/sites.js';
import { counted } from '../../output/counted.js';
import { readLiveSite, treeOf } from '../../site-tree/read-site.js';
import type { TreeNode } from '../../site-tree/text.js';
import { orgPath, spacePath, withQuery } from '../parts/address.js';
import { badge, copyable, facts, type Html, html, name, type Part, table, time } from '../parts/html.js';
import { cutOf, onePage, pageLinks, pageQuery } from '../parts/lists.js';
import { inOrg, type View } from '../parts/visit.js';

/** Sites as readers see their structure, and OpenAPI specs. */

export const sitesView: View = async (visit, [orgId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const page = visit.query.get('page') ?? undefined;
  const asked = { path: { organizationId: orgId }, query: pageQuery(page) };
  const cut = await cutOf(client.call(listSites, asked, onePage));
  const rows = cut.items.map(({ id, title, visibility, published, siteSpaces }): Part[] => [
    html`<a href="${orgPath(orgId, 'sites', id)}">${name(title)}</a>`,
    html`${published ? 'published' : 'not published'}, ${visibility}`,
    counted(siteSpaces, 'space'),
  ]);
  const body = [
    rows.length === 0 ? html`<p>No sites.</p>` : table('Sites', ['Title', 'State', 'Size'], rows),
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'Sites', trail, beside, body };
};

export const siteView: View = async (visit, [orgId = '', siteId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const { site, nodes } = treeOf(await readLiveSite(client, orgId, siteId));
  const body = [
    facts([
      ['Id', copyable(site.id, 'the id')],
      ['Type', site.type],
      ['State', site.published ? 'published' : 'not published'],
      ['Visibility', site.visibility],
      ['Address', site.urls?.published && html`<code>${site.urls.published}</code>`],
      ['Created', time(site.createdAt)],
    ]),
    html`<h2>What readers find</h2>`,
    nodes.length === 0 ? html`<p>Nothing is on it.</p>` : nodesHtml(nodes, orgId),
  ];
  const list = { label: 'Sites', href: orgPath(orgId, 'sites') };
  return { title: site.title, trail: [...trail, list], beside, body };
};

function nodesHtml(nodes: readonly TreeNode[], orgId: string): Html {
  return html`<ul class="tree">${nodes.map((node) => nodeHtml(node, orgId))}</ul>`;
}

function nodeHtml({ kind, title, path, space, isDefault, children }: TreeNode, orgId: string): Html {
  const shown =
    space === undefined ? name(title) : html`<a href="${spacePath(orgId, space)}">${name(title)}</a>`;
  return html`<li>${shown} <span class="soft">${kind}</span>
${path !== undefined && html`<code>/${path}</code>`} ${isDefault && badge('opens first')}
${children.length > 0 && nodesHtml(children, orgId)}</li>`;
}

export const specsView: View = async (visit, [orgId = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const page = visit.query.get('page') ?? undefined;
  const asked = { path: { organizationId: orgId }, query: pageQuery(page) };
  const cut = await cutOf(client.call(listOpenApiSpecs, asked, onePage));
  const rows = cut.items.map(({ slug, processingState, lastProcessErrorCode, updatedAt }): Part[] => [
    html`<a href="${orgPath(orgId, 'openapi', slug)}">${slug}</a>`,
    html`${processingState} ${lastProcessErrorCode !== undefined && badge(lastProcessErrorCode)}`,
    time(updatedAt),
  ]);
  const body = [
    rows.length === 0
      ? html`<p>No OpenAPI specs.</p>`
      : table('OpenAPI specs', ['Slug', 'State', 'Updated'], rows),
    pageLinks(cut, visit.at, { page }),
  ];
  return { title: 'OpenAPI specs', trail, beside, body };
};

/** Characters of a document that are shown. */
const longest = 200_000;

export const specView: View = async (visit, [orgId = '', specSlug = '']) => {
  const { client, trail, beside } = await inOrg(visit, orgId);
  const path = { organizationId: orgId, specSlug };
  const page = visit.query.get('page') ?? undefined;
  const spec = await client.call(getOpenApiSpec, { path });
  const versions = await cutOf(client.call(listOpenApiVersions, { path, query: pageQuery(page) }, onePage));
  const asked = visit.query.get('version') ?? spec.lastVersion;
  const shown = versions.items.find(({ id }) => id === asked)?.id ?? versions.items[0]?.id;
  const files =
    shown === undefined
      ? {}
      : (await client.call(getOpenApiContent, { path: { ...path, versionId: shown } })).filesystem;
  const rows = versions.items.map(({ id, createdAt }): Part[] => [
    html`<a href="${withQuery(visit.at, { page, version: id })}"${id === shown && html` aria-current="true"`}>${id}</a>`,
    time(createdAt),
  ]);
  const body = [
    facts([
      ['Slug', copyable(spec.slug, 'the slug')],
      ['State', spec.processingState],
      ['Last error', spec.lastProcessErrorCode],
      ['Source', spec.sourceURL && html`<code>${spec.sourceURL}</code>`],
      ['Updated', time(spec.updatedAt)],
    ]),
    html`<h2>Versions</h2>`,
    rows.length === 0 ? html`<p>None.</p>` : table('Versions', ['Version', 'Created'], rows),
    pageLinks(versions, visit.at, { page }),
    Object.entries(files).map(([file, content]) => documentHtml(file, content)),
  ];
  const list = { label: 'OpenAPI specs', href: orgPath(orgId, 'openapi') };
  return { title: spec.slug, trail: [...trail, list], beside, body };
};

function documentHtml(file: string, content: unknown): Html {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  const cut =
    text.length > longest && html`<p class="soft">The first ${counted(longest, 'character')} are shown.</p>`;
  return html`<h2>${name(file)}</h2>${cut}
<pre tabindex="0" role="region" aria-label="${file}"><code>${text.slice(0, longest)}</code></pre>`;
}
