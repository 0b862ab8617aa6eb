import type { AnyOperation } from '../../../src/api/operation.js';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { listFiles, listPages } from '../../../src/api/resources/content.js';
import { fieldsOf } from '../../api/fields.js';
import { sample } from '../../api/sample-value.js';
import { type Client, seedId } from '../client.js';

/** For every operation a path and an input that it takes, in the seed `tiny`. */

export type Path = Record<string, string>;

export const labs: string = seedId('org labs');
const welcome = { spaceId: seedId('space welcome') };
const things: Readonly<Path> = {
  ...welcome,
  organizationId: seedId('org acme'),
  userId: seedId('user deniz'),
  teamId: seedId('team writers'),
  samlProviderId: seedId('saml staff'),
  translationSettingsId: seedId('translation product docs'),
  fieldName: 'topics',
  specSlug: 'public-api',
  versionId: seedId('spec public-api version 1'),
  inviteId: seedId('invite readers'),
  emailDomain: 'acme.example',
  collectionId: seedId('collection product'),
  siteId: seedId('site docs'),
  siteSectionId: seedId('section docs Guides'),
  siteSectionGroupId: seedId('section group docs Developers'),
  siteSpaceId: seedId('site space docs guide'),
  changeRequestId: '3',
};

/** Values of required fields that name something. */
const values: Readonly<Record<string, unknown>> = {
  spaceId: seedId('space board'),
  sectionId: seedId('section docs Home'),
  organization: labs,
  position: {},
};

/** The path of one thing of the seed, or of a comment that the admin adds. */
export async function placeOf({ path }: AnyOperation, admin: Client): Promise<Path> {
  const found: Path = { ...things };
  if (path.includes('{pageId}'))
    found.pageId = (await admin.ok(listPages, { path: welcome })).pages[0]?.id ?? '';
  if (path.includes('{fileId}'))
    found.fileId = (await admin.ok(listFiles, { path: welcome })).items[0]?.id ?? '';
  for (const name of ['commentId', 'commentReplyId']) {
    const [collection = '', rest] = path.split(`/{${name}}`);
    if (rest === undefined) continue;
    const filled = collection.replaceAll(/\{(\w+)\}/g, (_, each: string) => found[each] ?? '');
    const answer = await admin.send('POST', filled, { body: { body: { markdown: 'Hello' } } });
    found[name] = ((await answer.json()) as { id: string }).id;
  }
  return Object.fromEntries(pathParameters(path).map((name) => [name, found[name] ?? '']));
}

/** The least that an operation takes there. */
export function inputOf({ query, body }: AnyOperation, path: Path) {
  return { path, query: least(query), ...(body !== undefined && { body: least(body) }) };
}

function least(part: AnyOperation['body']): Record<string, unknown> {
  const required = (part?.required ?? []) as string[];
  const value = (name: string) => values[name] ?? sample(fieldsOf(part)[name] ?? {}, name);
  return Object.fromEntries(required.map((name) => [name, value(name)]));
}
