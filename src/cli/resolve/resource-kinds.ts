import type { Argument, Command } from '../declare/command.js';
import type { OptionOutline } from '../declare/outline.js';

/** Which list tells the ids that a positional or a flag takes: for completion and for agents. */

/** A kind of resource that can be listed. */
export interface ResourceKind {
  /** What one is called, as placeholders write it: `<space>`. */
  name: string;
  /** Path parameters and fields that hold its id. */
  fields: readonly string[];
  /** The words of the command that lists it. */
  list: string;
  /** Path of what is typed, among the fields of the list. */
  id: string;
  /** Path of what people know it by. */
  title: string;
  /** How many positionals of the command line the list takes, too: `<comment>` before `<reply>`. */
  within?: number;
  /** The parents that the list needs, as flags. */
  needs: readonly ('org' | 'space' | 'site')[];
}

export const resourceKinds: readonly ResourceKind[] = [
  kind('org', 'orgs list', [], { fields: ['organizationId'] }),
  kind('user', 'members list', ['org'], { fields: ['userId'], title: 'user.displayName' }),
  kind('team', 'teams list', ['org'], { fields: ['teamId'] }),
  kind('provider', 'saml list', ['org'], { fields: ['samlProviderId'], title: 'label' }),
  kind('translation', 'translations list', ['org'], { fields: ['translationSettingsId'] }),
  kind('custom-field', 'custom-fields list', ['org'], { fields: ['fieldName'], id: 'name' }),
  kind('slug', 'openapi list', ['org'], { fields: ['specSlug'], id: 'slug', title: 'processingState' }),
  kind('collection', 'collections list', ['org'], { fields: ['collectionId'] }),
  kind('space', 'spaces list', ['org'], { fields: ['spaceId'] }),
  kind('site', 'sites list', ['org'], { fields: ['siteId'] }),
  kind('section', 'sections list', ['org', 'site'], { fields: ['siteSectionId', 'sectionId'] }),
  kind('group', 'section-groups list', ['org', 'site'], { fields: ['siteSectionGroupId'] }),
  kind('site-space', 'site-spaces list', ['org', 'site'], { fields: ['siteSpaceId'] }),
  kind('change-request', 'change-requests list', ['space'], {
    ...{ fields: ['changeRequestId'], id: 'number', title: 'subject' },
  }),
  kind('page', 'content pages list', ['space'], { fields: ['pageId'] }),
  kind('file', 'content files list', ['space'], { fields: ['fileId'], title: 'name' }),
  kind('comment', 'comments list', ['space'], { fields: ['commentId'], title: 'body.markdown' }),
  kind('reply', 'comments replies list', ['space'], {
    ...{ fields: ['commentReplyId'], title: 'body.markdown', within: 1 },
  }),
];

function kind(
  name: string,
  list: string,
  needs: ResourceKind['needs'],
  rest: Pick<ResourceKind, 'fields'> & Partial<Pick<ResourceKind, 'id' | 'title' | 'within'>>,
): ResourceKind {
  return { name, list, needs, id: 'id', title: 'title', ...rest };
}

/** Placeholders that are another word for a kind. */
const synonyms: Readonly<Record<string, string>> = { owner: 'user' };

/** Placeholders that read like a kind and are something else: a path of this machine. */
const notResources: readonly string[] = ['file'];

/**
 * The kind of resource whose id a positional or a flag takes: by the field it fills, else by its
 * placeholder. undefined where it takes anything else.
 * @param command what it belongs to: a neighbour in a new order is of the kind that is moved
 */
export function resourceKindOf(
  taker: Argument | OptionOutline,
  command?: Pick<Command, 'args'>,
): ResourceKind | undefined {
  const { field } = taker;
  const moved = command?.args[0];
  if (field?.startsWith('position.') && moved !== undefined && taker !== moved) return resourceKindOf(moved);
  const byField = resourceKinds.find(({ fields }) => field !== undefined && fields.includes(field));
  if (byField !== undefined) return byField;
  const value = 'value' in taker ? taker.value?.replace(/^<|>$/g, '') : taker.name;
  const placeholder = value === 'id' ? taker.name : value;
  if (placeholder === undefined || notResources.includes(placeholder)) return undefined;
  return resourceKinds.find(({ name }) => name === (synonyms[placeholder] ?? placeholder));
}
