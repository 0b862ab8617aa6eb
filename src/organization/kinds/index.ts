import type { AnyOperation } from '../../api/operation.js';
import { spaceListOperations } from '../../api/organization-spaces.js';
import {
  type Collection,
  createCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
  updateCollection,
} from '../../api/resources/collections.js';
import {
  CustomFieldValue,
  createCustomField,
  customFieldTypes,
  listSpaceFields,
  setSpaceFields,
  updateCustomField,
} from '../../api/resources/custom-fields.js';
import { listTeamMembers, setTeamMember } from '../../api/resources/members.js';
import { createOpenApiSpec, setOpenApiSpec } from '../../api/resources/openapi.js';
import { getOrg, updateOrg } from '../../api/resources/orgs.js';
import { updateSamlProvider } from '../../api/resources/saml.js';
import { moveSpace, updateSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { pluralOf } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import type { Resource } from '../../jobs/reads.js';
import { emoji, type FieldEntry, valuesByName } from '../../jobs/rules/shown.js';
import { operationOf } from '../../model/operations.js';
import {
  namedResources,
  type Resource as Registered,
  type ResourceName,
  resources,
} from '../../model/resources.js';
import {
  type Cannot,
  type Field,
  type Kind,
  type KindName,
  kindNames,
  type Live,
  type LiveItem,
  type LiveReading,
} from '../model.js';
import {
  fieldsFrom,
  fieldsOfUpdate,
  listed,
  liveItem,
  readFor,
  referenceTo,
  registered,
  unlessRefused,
} from './declare.js';
import { listSpaces } from './list-spaces.js';
import { people } from './people.js';
import { groups, sections, siteSpaces, sites } from './sites.js';

/** What an organization sets and defines: its settings, custom fields, OpenAPI specs, translations. */

const settings = {
  ...registered('organization'),
  fields: fieldsFrom(updateOrg, {
    title: {},
    emailDomains: { set: true },
    hostname: { unique: 'organization' },
    defaultRole: { nullAs: 'guest' },
    defaultContent: {
      key: 'default_site',
      refers: 'sites',
      show: ({ defaultContent }) =>
        referenceTo('sites', (defaultContent as { site?: string } | undefined)?.site),
      send: (site) => ({ defaultContent: site === null ? null : { type: 'site', site } }),
    },
    sso: {},
    ai: {},
    inviteLinks: {},
  }),
};

const organization: Kind = {
  ...settings,
  spot: { file: 'org.yaml', under: 'organization' },
  parents: ['root'],
  key: 'own',
  leftOut: {
    logo: 'the platform does not return the URL that was set, so the files cannot be compared with it',
  },
  reads: [getOrg],
  async *list({ client, organizationId }) {
    const resource = await client.call(getOrg, { path: { organizationId } });
    yield [liveItem(settings, resource, { natural: settings.name })];
  },
};

const noOtherType: Cannot = {
  message: 'The API cannot change the type of a custom field.',
  hint: ({ key }) => `Keep the type, or add a field under another name in place of ${key}.`,
  more: valuesLost,
};

const types: readonly unknown[] = customFieldTypes;

/** A field of another type that the platform has already is read and compared as it is. */
function noSuchType(type: unknown): Cannot {
  return {
    message: `The platform has no custom fields of the type ${String(type)}.`,
    hint: ({ at }) => `Choose from ${types.join(', ')} in ${at.file}.`,
  };
}

const customFields = listKind('custom-field', {
  fields: [
    ...fieldsFrom(createCustomField, { type: { required: true, fixed: noOtherType.message } }),
    ...fieldsFrom(updateCustomField, { title: {}, description: {}, placeholder: {}, options: {} }),
  ],
  key: { field: 'name' },
  create: {
    op: createCustomField,
    id: 'name',
    sends: ['name'],
    more: ({ key }) => ({ name: key }),
    unless: ({ fields: { type } }) =>
      type === undefined || types.includes(type) ? undefined : noSuchType(type),
  },
  cannot: { 'change type': noOtherType },
});

/** A field of another type would be a new one. Not every space's values may have been read. */
function valuesLost({ items }: Live, { id }: LiveItem): string | undefined {
  const has = ({ fields }: LiveItem) => {
    const value = (fields.fields as Record<string, unknown> | null | undefined)?.[id] ?? '';
    return Array.isArray(value) ? value.length > 0 : value !== '';
  };
  const spaces = items.get('spaces') ?? [];
  const count = spaces.filter(has).length;
  if (count === 0) return undefined;
  const least = spaces.every(({ fields }) => 'fields' in fields) ? '' : 'at least ';
  return `A new one would lose the ${count === 1 ? `value of ${least}1 space` : `values of ${least}${count} spaces`}.`;
}

/** The source of a spec is a URL or a text; the first of the two. */
const [byUrl] = setOpenApiSpec.body.properties.source.anyOf;

const openapi = listKind('openapi-spec', {
  fields: fieldsFrom(setOpenApiSpec, {
    source: {
      key: 'url',
      schema: byUrl.properties.url,
      required: true,
      show: ({ sourceURL }) => sourceURL,
      send: (url) => ({ source: { url } }),
    },
  }),
  spot: { file: 'openapi.yaml', list: 'specs' },
  key: { field: 'slug' },
  leftOut: { text: 'the platform does not return the text of a spec; "docs openapi publish" sets it' },
  create: { op: createOpenApiSpec, id: 'slug', sends: ['slug'], more: ({ key }) => ({ slug: key }) },
});

/** Collections and spaces. */

const collection = {
  ...registered('collection'),
  fields: fieldsFrom(updateCollection, {
    title: {},
    description: {},
    defaultLevel: { nullAs: 'none' },
  }),
};

const collections: Kind = {
  ...collection,
  spot: { file: 'library.yaml', list: 'library', marker: 'collection', children: 'contents' },
  parents: ['root', 'collections'],
  key: 'own',
  reads: [listCollections],
  list: listInTree,
  create: {
    op: createCollection,
    sends: ['parent'],
    more: ({ parent }, { idOf }) => (parent === undefined ? {} : { parent: idOf(parent) }),
  },
  order: {
    op: moveCollection,
    with: ['collections'],
    neighbour: (kind, id) => (kind === 'collections' ? { type: 'collection', collection: id } : undefined),
    parent: (parent) => ({ parent }),
  },
};

/** Each with its parent, whichever of them the platform lists first. */
async function* listInTree({ client, organizationId }: LiveReading): AsyncGenerator<readonly LiveItem[]> {
  const all = new Map<string, Collection>();
  for await (const one of client.call(listCollections, { path: { organizationId }, query: { nested: true } }))
    all.set(one.id, one);
  const items = new Map<string, LiveItem>();
  const counts = new Map<LiveItem | undefined, number>();
  const itemOf = (one: Collection): LiveItem => {
    const known = items.get(one.id);
    if (known !== undefined) return known;
    const above = all.get(one.parent ?? '');
    const parent = above && itemOf(above);
    const index = counts.get(parent) ?? 0;
    counts.set(parent, index + 1);
    const item = liveItem(collection, { ...one }, { index, ...(parent && { parent }) });
    items.set(one.id, item);
    return item;
  };
  for (const one of all.values()) itemOf(one);
  yield [...items.values()];
}

const space = {
  ...registered('space'),
  fields: [
    ...fieldsFrom(updateSpace, {
      title: {},
      editMode: {},
      defaultLevel: { nullAs: 'none' },
      emoji: { show: emoji },
    }),
    ...fieldsFrom(setSpaceFields, {
      values: {
        key: 'fields',
        map: true,
        apart: true,
        mapOf: 'fields',
        schema: Type.Record(Type.String(), CustomFieldValue, {
          description: 'Values of custom fields, by name',
        }),
        show: ({ customFields }) => shownValues(customFields as readonly FieldEntry[] | undefined),
        setBy: {
          op: setSpaceFields,
          body: (values) => ({ values: asSent(values as Readonly<Record<string, unknown>>) }),
        },
      },
    }),
  ],
};

const spaces: Kind = {
  ...space,
  spot: { file: 'library.yaml', list: 'library', marker: 'space' },
  parents: ['root', 'collections'],
  key: 'own',
  leftOut: {
    icon: 'the platform returns its own address for the icon, not the URL that was set',
    visibility:
      'it follows from where the space is published, which no file sets; docs plan drift shows neither, nor who has access to the space',
  },
  reads: [...new Set([listCollectionSpaces, ...spaceListOperations, listSpaceFields])],
  list: (reading) => listSpaces(reading, (...one) => liveItem(space, ...one)),
  order: {
    op: moveSpace,
    with: ['spaces'],
    within: ['collections'],
    neighbour: (kind, id) => (kind === 'spaces' ? { type: 'space', space: id } : undefined),
    parent: (parent) => ({ parent }),
  },
  cannot: {
    create: {
      message: 'The API cannot create a space by itself.',
      hint: ({ key }) =>
        `Duplicate one with "docs spaces duplicate", or create a site with one; then run "docs plan adopt spaces/${key}=<id>".`,
    },
    'clear a value': {
      message: 'The API cannot clear the value of a custom field other than text and multiple choice.',
    },
    'order at the top': {
      message:
        'The platform shows no order of spaces outside of collections, nor of spaces among collections.',
    },
  },
};

/** A field without a value that cannot be cleared has none to compare. */
function shownValues(entries: readonly FieldEntry[] | undefined): Record<string, unknown> | undefined {
  if (entries === undefined) return undefined;
  return Object.fromEntries(Object.entries(valuesByName(entries)).filter(([, value]) => value !== null));
}

function asSent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { value }]));
}

/** Who is in the organization, in which teams, and how they sign in. */

const membership = {
  ...registered('team-member'),
  fields: fieldsFrom(setTeamMember, {
    role: { show: ({ team: own }) => (own as { role?: string } | undefined)?.role },
  }),
};

/** Memberships of teams, which files write down with the person: `teams: {writers: owner}`. */
const memberships: Kind = {
  ...membership,
  spot: { file: 'people.yaml', list: 'people', children: 'teams' },
  parents: ['teams'],
  key: 'own',
  scope: 'teams',
  names: 'people',
  reads: [listTeamMembers],
  async *list(reading) {
    yield* readFor(await reading.all('teams'), (parent) => membersOf(reading, parent));
  },
};

async function membersOf(reading: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const missed = { kind: membership.name, within: parent, what: `the members of the team ${parent.title}` };
  return (await unlessRefused(reading, missed, () => listMembersOf(reading, parent))) ?? [];
}

async function listMembersOf({ client, organizationId }: LiveReading, parent: LiveItem): Promise<LiveItem[]> {
  const items: LiveItem[] = [];
  const path = { organizationId, teamId: parent.id };
  for await (const page of client.call(listTeamMembers, { path }).pages()) {
    for (const { organization, team: own } of page.items) {
      const { id, role, sso, user } = organization;
      const { email, displayName } = user;
      const shown = { id: user.id, ...(email !== undefined && { email }) };
      const resource = { organization: { id, role, sso, user: shown }, team: { role: own.role } };
      items.push(liveItem(membership, resource, { id, parent, natural: id, title: email ?? displayName }));
    }
  }
  return items;
}

const saml = listKind(
  'saml-provider',
  {
    fields: fieldsFrom(updateSamlProvider, {
      label: { required: true },
      entityID: {},
      certificate: { file: ({ key }) => `certificates/${key}.pem` },
      ssoURL: {},
      defaultTeam: {
        refers: 'teams',
        show: ({ defaultTeam }) => referenceTo('teams', (defaultTeam as { id?: string } | undefined)?.id),
      },
      defaultRole: { nullAs: 'guest' },
    }),
    spot: { file: 'saml.yaml', list: 'providers' },
  },
  ({ defaultTeam, ...one }) => ({ ...one, defaultTeam: teamOnly(defaultTeam) }),
);

/** The rest of a team is with the teams. */
function teamOnly(team: unknown): { id: unknown } | undefined {
  return isObject(team) ? { id: team.id } : undefined;
}

/**
 * A kind that is a list in a file of its own. What is not said follows from the registry.
 * @param shown the part of a resource that is kept
 */
function listKind(
  name: ResourceName,
  own: Pick<Kind, 'fields'> & Partial<Kind>,
  shown = (resource: Resource): Resource => resource,
): Kind {
  const { id, titles, printed } = resources[name];
  const [list, file] = [operationOf(name, 'list') as AnyOperation, printed.files ?? name];
  const kind: Kind = {
    ...registered(name),
    ...{ spot: { file: `${file}.yaml`, list: file }, parents: ['root'], key: 'own', reads: [list] },
    list: (reading) =>
      listed(reading, list, (one) => {
        const resource = shown(one as Resource);
        const [key, title] = [resource[id], resource[titles[0]] ?? ''].map(String);
        return liveItem(kind, resource, { id: key, title, ...(kind.key !== 'own' && { natural: key }) });
      }),
    ...own,
  };
  return kind;
}

/** A kind of which the registry says all: its fields are those of its update. */
function plainKind({ filed, printed, ...of }: Registered): [string, Kind][] {
  if (filed === undefined || printed.files === undefined) return [];
  const name = of.name as ResourceName;
  const one = printed.object.replaceAll('-', ' ');
  return [[printed.files, listKind(name, { ...filed, one, fields: fieldsOfUpdate(name) })]];
}

const byName = {
  ...Object.fromEntries(namedResources.flatMap(plainKind)),
  fields: customFields,
  people,
  memberships,
  collections,
  spaces,
  openapi,
  sites,
  groups,
  sections,
  'site-spaces': siteSpaces,
  saml,
  organization,
} as Readonly<Record<KindName, Kind>>;

/** In the order of `kindNames`. */
export const kinds: readonly Kind[] = kindNames.map((name) => byName[name]);

export function kindOf(name: KindName): Kind {
  return byName[name];
}

/** What files can say of a kind, for the guide and the help. */
export interface KindRow {
  kind: KindName;
  /** In the plural, as people say it: `SAML providers`. */
  title: string;
  /** `sites/*.yaml`. */
  file: string;
  /** Keys of the fields in files. */
  fields: readonly string[];
  creates: boolean;
  deletes: boolean;
  /** Whether it can be put in another place among its siblings. */
  moves: boolean;
  /** What no operation does: a sentence each. */
  cannot: readonly string[];
  /** What no file has, and why. */
  leftOut: Readonly<Record<string, string>>;
}

/** A row for each kind, in the order in which they are created. */
export function kindTable(): KindRow[] {
  return kinds.map((kind) => ({
    kind: kind.name,
    title: pluralOf(kind.one),
    file: kind.spot.file,
    fields: kind.fields.map(({ key }) => key),
    creates: kind.create !== undefined,
    deletes: kind.remove !== undefined,
    moves: kind.order !== undefined,
    cannot: cannotOf(kind),
    leftOut: kind.leftOut ?? {},
  }));
}

function cannotOf({ cannot = {}, fields }: Kind): string[] {
  const ofFields = fields.flatMap(({ fixed, oneWay }: Field) =>
    [fixed, oneWay?.message].filter((one) => one !== undefined),
  );
  return [...new Set([...Object.values(cannot).map(({ message }) => message), ...ofFields])];
}
