import { getContent } from '../api/resources/content.js';
import { getPublishedSite } from '../api/resources/published-sites.js';
import { listSections } from '../api/resources/sections.js';
import { listSiteSpaces } from '../api/resources/site-spaces.js';
import { getSpace } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { asText, isObject } from '../base/values.js';
import { type Amount, type OnSite, type Proof, requestFor, type SameContent } from './change.js';
import type { Reads, Resource } from './reads.js';

/**
 * What reads must show before a job goes on: an item of its own, which sends nothing else. What must not happen
 * without it comes after that item, so a resume and a saved plan keep to it.
 */

/**
 * Reads what is claimed.
 * @throws DocsError partial `not_verified` where a read shows something else; as `Reads`
 */
export async function prove(reads: Reads, proves: readonly Proof[]): Promise<Resource> {
  for (const proof of proves) {
    const lack =
      proof.proof === 'same-content' ? await lackOfContent(reads, proof) : await lackOnSite(reads, proof);
    if (lack === undefined) continue;
    const message = `not verified: ${lack}`;
    throw new DocsError('partial', 'not_verified', message, { outcome: 'not-sent', retryable: true });
  }
  return { verified: true };
}

async function lackOfContent(
  reads: Reads,
  { space, copy, planned }: SameContent<string>,
): Promise<string | undefined> {
  const [own, other, made] = await Promise.all([
    contentOf(reads, space),
    contentOf(reads, copy),
    reads.one(getSpace, requestFor(getSpace, { spaceId: copy }).input),
  ]);
  if (other === undefined || made === null) return `space ${copy} cannot be read`;
  if (own === undefined) return `space ${space} cannot be read`;
  const isEdited = Date.parse(own.createdAt) > Date.parse(String(made.createdAt));
  const isSame = (amount: Amount) => amount.pages === other.pages && amount.files === other.files;
  if (isSame(own) || (isEdited && isSame(planned))) return undefined;
  return `space ${copy} has ${amountText(other)}, and space ${space}, of which it is a copy, has ${amountText(own)}`;
}

/** How much a space has now, and since when it is so; undefined where it is not there. */
export async function contentOf(
  reads: Reads,
  spaceId: string,
): Promise<(Amount & { createdAt: string }) | undefined> {
  const { input } = requestFor(getContent, { spaceId });
  const found = await reads.one(getContent, { ...input, query: { metadata: false, computed: false } });
  if (found === null) return undefined;
  const { pages, files, createdAt } = found;
  return {
    pages: pagesIn(pages),
    files: Array.isArray(files) ? files.length : 0,
    createdAt: String(createdAt),
  };
}

/** With all pages below them. */
function pagesIn(pages: unknown): number {
  if (!Array.isArray(pages)) return 0;
  return pages.filter(isObject).reduce((sum, page) => sum + 1 + pagesIn(page.pages), 0);
}

export function amountText({ pages, files }: Amount): string {
  return `${pages} ${pages === 1 ? 'page' : 'pages'} and ${files} ${files === 1 ? 'file' : 'files'}`;
}

async function lackOnSite(reads: Reads, proof: OnSite<string>): Promise<string | undefined> {
  const { siteSpaces, section, urls, published } = proof;
  const path = { organizationId: proof.organizationId, siteId: proof.siteId };
  const listed = (await reads.all(listSiteSpaces, requestFor(listSiteSpaces, path).input)) ?? [];
  const own = listed.filter(({ id }) => siteSpaces.includes(String(id)));
  const gone = siteSpaces.find((id) => own.every((one) => one.id !== id));
  if (gone !== undefined) return `site space ${gone} is not in the list of the site`;
  if (own.some(({ id }, at) => id !== siteSpaces[at])) return 'the site spaces are in another order';
  const elsewhere = own.find((one) => (one.section ?? null) !== section);
  if (elsewhere !== undefined) return `site space ${elsewhere.id} is in another section`;
  if (section !== null && !(await hasSection(reads, path, section)))
    return `section ${section} is not on the site`;
  const unaddressed = urls ? own.find((one) => publishedUrl(one) === undefined) : undefined;
  if (unaddressed !== undefined) return `site space ${unaddressed.id} has no published address`;
  return published ? lackInStructure(reads, path, siteSpaces) : undefined;
}

async function hasSection(
  reads: Reads,
  path: Readonly<Record<string, string>>,
  id: string,
): Promise<boolean> {
  const all = (await reads.all(listSections, requestFor(listSections, path).input)) ?? [];
  return all.some((one) => one.id === id);
}

async function lackInStructure(
  reads: Reads,
  path: Readonly<Record<string, string>>,
  siteSpaces: readonly string[],
): Promise<string | undefined> {
  const found = await reads.one(getPublishedSite, requestFor(getPublishedSite, path).input);
  if (found === null) return 'the platform does not answer the published structure of the site';
  const { structure } = (found.structure ?? {}) as { structure?: unknown };
  const parts = Array.isArray(structure) ? structure.filter(isObject) : [];
  const shown = new Set(parts.flatMap(({ id, siteSpaces: inside }) => [id, ...idsIn(inside)]));
  const hidden = siteSpaces.find((id) => !shown.has(id));
  return hidden === undefined
    ? undefined
    : `site space ${hidden} is not in the published structure of the site`;
}

function idsIn(parts: unknown): unknown[] {
  return Array.isArray(parts) ? parts.filter(isObject).map((one) => one.id) : [];
}

/** The address at which visitors read a site space. */
export function publishedUrl({ urls }: Resource): string | undefined {
  const { published } = (urls ?? {}) as { published?: unknown };
  return asText(published);
}
