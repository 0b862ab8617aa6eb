import { deleteComment, getComment } from '../../api/resources/comments.js';
import { type CustomField, listSpaceFields } from '../../api/resources/custom-fields.js';
import type { Invite } from '../../api/resources/members.js';
import type { OpenApiSpec } from '../../api/resources/openapi.js';
import type { SamlProvider } from '../../api/resources/saml.js';
import { readAll } from '../../jobs/sequence.js';
import { operationIn } from '../../model/operations.js';
import { counted } from '../../output/text.js';
import { allSpaces } from '../../snapshot/spaces.js';
import type { Findings } from './findings.js';
import { pageReader } from './published.js';
import type { ImpactQuestion } from './shapes.js';

/** What goes with what an organization defines: fields, specs, ways to sign in, translations, invites, comments. */

/** @throws DocsError if one of them cannot be read */
export async function deleteFields(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const { client } = found.reading;
  const fields = await found.deleted<CustomField>(things);
  if (!found.wants('dependents')) return;
  const names = new Set(fields.map(({ name }) => name));
  const spaces = await spacesOf(found);
  const lists = await readAll(found.reading, spaces, ({ id, title }) =>
    found.attempt({ kind: 'custom-fields', id, title }, () =>
      client.call(listSpaceFields, { path: { spaceId: id } }),
    ),
  );
  for (const [index, space] of spaces.entries())
    for (const { customField: field, value } of lists[index] ?? [])
      if (value !== undefined && names.has(field.name))
        found.depends('field-value', space, `Its value of ${field.title ?? field.name} goes.`);
}

async function spacesOf(found: Findings): Promise<{ id: string; title: string }[]> {
  const { spaces, unread } = await allSpaces(found.reading, ({ id, title }) => ({ id, title }));
  found.unknown.push(...unread);
  return spaces;
}

/**
 * Deleted specs: the pages made from them, in the main content of each space.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteSpecs(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const specs = await found.deleted<OpenApiSpec>(things);
  if (!found.wants('dependents')) return;
  const names = new Map(specs.flatMap(({ id, slug }) => [[id, slug] as const, [slug, slug] as const]));
  const pagesOf = pageReader(found);
  await readAll(found.reading, await spacesOf(found), async (space) => {
    for (const page of (await pagesOf(space.id)) ?? []) {
      const slug = names.get(page.computed?.dependencies?.spec?.ref.spec ?? '');
      if (slug !== undefined)
        found.depends('spec', page, `This page of ${space.title} (${space.id}) is made from ${slug}.`);
    }
  });
}

/** @throws DocsError if one of them cannot be read */
export async function deleteProviders(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const own = await found.deleted<SamlProvider>(things);
  const [first] = own;
  if (!found.wants('dependents') || first === undefined) return;
  const all = await found.own('saml-providers', found.organization.samlProviders());
  const isLast = all?.every(({ id }) => own.some((one) => one.id === id)) === true;
  const tell = (what: string) => found.depends('sign-in', { id: first.id, title: first.label }, what);
  const members = await found.own('members', found.organization.members());
  const linked = members?.filter(({ sso }) => sso).length ?? 0;
  if (linked > 0)
    tell(`${counted(linked, 'member')} may sign in with it; the platform does not show the provider.`);
  if (!isLast) return;
  const what = { kind: 'organization', id: found.reading.organizationId };
  const org = await found.attempt(what, () => found.organization.settings());
  tell(org?.sso === true ? 'SSO is enforced and no other provider is left.' : 'No other provider is left.');
}

/** What nothing else rests on. @throws DocsError if one of them cannot be read */
export async function deleteOthers(found: Findings, { things }: ImpactQuestion): Promise<void> {
  await found.deleted(things);
}

/** @throws DocsError if one of them cannot be read */
export async function deleteInvites(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const all = await found.deleted<Invite>(things);
  for (const { id, role } of all) {
    const what = `No one can join with the role ${role} through this link any more.`;
    found.depends('sign-in', { id, title: id }, what);
  }
}

/** @throws DocsError if one of them cannot be read */
export async function deleteComments(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const { client } = found.reading;
  await readAll(found.reading, things, async (thing) => {
    const within: { changeRequestId?: string } = thing.within ?? {};
    const path = { spaceId: '', ...within, commentId: thing.id };
    const { replies } = await client.call(operationIn(getComment, within), { path });
    found.thing(thing, thing.id);
    if (replies === 0) return;
    const what = `${counted(replies, 'reply', 'replies')} to it ${replies === 1 ? 'goes' : 'go'} with it.`;
    found.depends('reply', { id: thing.id, title: thing.id }, what);
  });
  found.limitedUndo(deleteComment);
}
