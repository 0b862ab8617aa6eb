import { deleteComment, getChangeRequestComment, getComment } from '../../api/resources/comments.js';
import { deleteCustomField, getCustomField, listSpaceFields } from '../../api/resources/custom-fields.js';
import { deleteInvite, getInvite } from '../../api/resources/members.js';
import { deleteOpenApiSpec, getOpenApiSpec } from '../../api/resources/openapi.js';
import { deleteSamlProvider, getSamlProvider } from '../../api/resources/saml.js';
import { deleteTranslation, getTranslation } from '../../api/resources/translations.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/text.js';
import { allSpaces } from '../../snapshot/spaces.js';
import type { Affected, Findings } from './findings.js';
import { ssoMembers } from './people.js';
import { pageReader } from './published.js';

/** What goes with what an organization defines: fields, specs, ways to sign in, translations, invites, comments. */

/** @throws DocsError if one of them cannot be read */
export async function deleteFields(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const fields = await readAll(found.reading, things, ({ id }) =>
    client.call(getCustomField, { path: { organizationId, fieldName: id } }),
  );
  for (const { name, title } of fields) found.thing({ object: 'custom-field', id: name }, title ?? name);
  found.limitedUndo(deleteCustomField);
  if (!found.wants('dependents')) return;
  const names = new Set(fields.map(({ name }) => name));
  const spaces = await spacesOf(found);
  const lists = await readAll(found.reading, spaces, ({ id, title }) =>
    found.attempt({ kind: 'custom-fields', id, title }, () =>
      client.call(listSpaceFields, { path: { spaceId: id } }),
    ),
  );
  for (const [index, { id, title }] of spaces.entries())
    for (const { customField, value } of lists[index] ?? [])
      if (value !== undefined && names.has(customField.name)) {
        const what = `Its value of ${customField.title ?? customField.name} goes.`;
        found.dependents.push({ kind: 'field-value', id, title, what });
      }
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
export async function deleteSpecs(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const specs = await readAll(found.reading, things, ({ id }) =>
    client.call(getOpenApiSpec, { path: { organizationId, specSlug: id } }),
  );
  for (const { slug } of specs) found.thing({ object: 'openapi-spec', id: slug }, slug);
  found.limitedUndo(deleteOpenApiSpec);
  if (!found.wants('dependents')) return;
  const names = new Map(specs.flatMap(({ id, slug }) => [[id, slug] as const, [slug, slug] as const]));
  const pagesOf = pageReader(found);
  await readAll(found.reading, await spacesOf(found), async (space) => {
    for (const { id, title, computed } of (await pagesOf(space.id)) ?? []) {
      const slug = names.get(computed?.dependencies?.spec?.ref.spec ?? '');
      if (slug === undefined) continue;
      const what = `This page of ${space.title} (${space.id}) is made from ${slug}.`;
      found.dependents.push({ kind: 'spec', id, title, what });
    }
  });
}

/** @throws DocsError if one of them cannot be read */
export async function deleteProviders(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const path = { organizationId };
  const own = await readAll(found.reading, things, ({ id }) =>
    client.call(getSamlProvider, { path: { ...path, samlProviderId: id } }),
  );
  for (const { id, label } of own) found.thing({ object: 'saml-provider', id }, label);
  found.limitedUndo(deleteSamlProvider);
  const [first] = own;
  if (!found.wants('dependents') || first === undefined) return;
  const list = { kind: 'saml-providers', id: organizationId };
  const all = await found.items(list, found.organization.samlProviders());
  const isLast = all?.every(({ id }) => own.some((one) => one.id === id)) === true;
  const tell = (what: string) =>
    found.dependents.push({ kind: 'sign-in', id: first.id, title: first.label, what });
  const members = await ssoMembers(found);
  if (members !== undefined && members > 0)
    tell(
      `${counted(members, 'member')} may sign in with it; the platform does not tell with which provider.`,
    );
  if (!isLast) return;
  const org = await found.attempt({ kind: 'organization', id: organizationId }, () =>
    found.organization.settings(),
  );
  tell(org?.sso === true ? 'SSO is enforced and no other provider is left.' : 'No other provider is left.');
}

/** @throws DocsError if one of them cannot be read */
export async function deleteTranslations(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const all = await readAll(found.reading, things, ({ id }) =>
    client.call(getTranslation, { path: { organizationId, translationSettingsId: id } }),
  );
  for (const { id, title } of all) found.thing({ object: 'translation-settings', id }, title);
  found.limitedUndo(deleteTranslation);
}

/** @throws DocsError if one of them cannot be read */
export async function deleteInvites(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client, organizationId } = found.reading;
  const all = await readAll(found.reading, things, ({ id }) =>
    client.call(getInvite, { path: { organizationId, inviteId: id } }),
  );
  for (const { id, role } of all) {
    found.thing({ object: 'invite', id }, id);
    const what = `Nobody can join with the role ${role} through this link any more.`;
    found.dependents.push({ kind: 'sign-in', id, title: id, what });
  }
  found.limitedUndo(deleteInvite);
}

/** @throws DocsError if one of them cannot be read */
export async function deleteComments(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client } = found.reading;
  await readAll(found.reading, things, async (thing) => {
    const { spaceId = '', changeRequestId } = thing.within ?? {};
    const path = { spaceId, commentId: thing.id };
    const comment =
      changeRequestId === undefined
        ? await client.call(getComment, { path })
        : await client.call(getChangeRequestComment, { path: { ...path, changeRequestId } });
    found.thing(thing, thing.id);
    if (comment.replies === 0) return;
    const what = `${counted(comment.replies, 'reply', 'replies')} to it ${comment.replies === 1 ? 'goes' : 'go'} with it.`;
    found.dependents.push({ kind: 'reply', id: thing.id, title: thing.id, what });
  });
  found.limitedUndo(deleteComment);
}
