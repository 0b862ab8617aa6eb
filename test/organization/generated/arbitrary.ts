import fc from 'fast-check';
import { roles } from '../../../src/api/shapes.js';
import type {
  CollectionNode,
  Field,
  Group,
  LibraryNode,
  Organization,
  Person,
  Place,
  Provider,
  Section,
  Site,
  SpaceNode,
  Spec,
  Team,
} from './model.js';
import { claim, condition, emoji, fieldName, icon, local, maybe, path, slug, title } from './texts.js';

/** Random organizations. The same seed gives the same ones, and fast-check makes a failing one smaller. */

/** A number that is taken round a list of what there is. */
const some = fc.nat(50);

const role = fc.constantFrom(...roles, null);
const level = fc.constantFrom(...roles, 'inherit' as const, 'inherit' as const, null);

const person: fc.Arbitrary<Person> = fc.record({
  local,
  role,
  sso: fc.boolean(),
  disabled: fc.constantFrom(false, false, false, true),
});

const team: fc.Arbitrary<Team> = fc.record({
  title: title(1, 64),
  members: fc.array(fc.record({ person: some, owner: fc.boolean() }), { maxLength: 4 }),
});

const field: fc.Arbitrary<Field> = fc.record({
  name: fieldName,
  type: fc.constantFrom('text', 'number', 'boolean', 'select', 'multiselect', 'url', 'date'),
  title: maybe(title(1, 100)),
  description: maybe(title(1, 200)),
  placeholder: maybe(title(1, 100)),
  options: fc.uniqueArray(title(1, 60), { maxLength: 4 }),
});

const space: fc.Arbitrary<SpaceNode> = fc.record({
  is: fc.constant('space'),
  title: title(0, 50),
  emoji,
  locked: fc.boolean(),
  level,
  visibility: fc.constantFrom('public', 'unlisted', 'private', 'in-collection', 'in-collection'),
  deleted: fc.constantFrom(false, false, false, false, false, true),
  values: fc.array(fc.record({ field: some, value: some }), { maxLength: 3 }),
});

const { node } = fc.letrec<{ node: LibraryNode; collection: CollectionNode }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', maxDepth: 3 }, space, tie('collection')),
  collection: fc.record({
    is: fc.constant('collection'),
    title: title(0, 50),
    description: maybe(title(0, 100)),
    level,
    contents: fc.array(tie('node'), { maxLength: 4 }),
  }),
}));

const place: fc.Arbitrary<Place> = fc.record({ space: some, path, condition: maybe(condition) });

const section: fc.Arbitrary<Section> = fc.record({
  is: fc.constant('section'),
  title: title(2, 64),
  path,
  icon: maybe(icon),
  description: maybe(title(1, 200)),
  condition: maybe(condition),
  default: some,
  spaces: fc.array(place, { maxLength: 3 }),
});

const group: fc.Arbitrary<Group> = fc.record({
  is: fc.constant('group'),
  title: title(1, 100),
  icon: maybe(icon),
  sections: fc.array(section, { maxLength: 3 }),
});

const site: fc.Arbitrary<Site> = fc.record({
  title: title(2, 128),
  type: fc.constantFrom('premium', 'ultimate', 'basic', 'sponsored'),
  visibility: fc.constantFrom('public', 'unlisted', 'share-link', 'visitor-auth'),
  published: fc.boolean(),
  basename: maybe(slug),
  proxy: maybe(fc.constantFrom('www.acme.example/docs', 'acme.example/a/b_c')),
  adaptive: fc.boolean(),
  claims: fc.option(fc.uniqueArray(claim, { maxLength: 3 }), { nil: null }),
  default: some,
  structure: fc.oneof(
    fc.record({ spaces: fc.array(place, { maxLength: 4 }) }),
    fc.record({ parts: fc.array(fc.oneof(section, section, group), { minLength: 1, maxLength: 4 }) }),
  ),
});

const spec: fc.Arbitrary<Spec> = fc.record({
  slug,
  url: maybe(fc.constantFrom('https://api.acme.example/openapi.json', 'https://acme.example/o.yaml?a=b#c')),
});

const certificate = '-----BEGIN CERTIFICATE-----\nTm90IG9uZQ==\n-----END CERTIFICATE-----\n';

const provider: fc.Arbitrary<Provider> = fc.record({
  label: title(1, 30),
  entityId: maybe(fc.constantFrom('https://id.acme.example/metadata', 'urn:acme: #1')),
  certificate: maybe(fc.constantFrom(certificate, certificate.replaceAll('\n', '\r\n'), 'no newline at end')),
  ssoUrl: maybe(fc.constant('https://id.acme.example/sso')),
  team: fc.option(some, { nil: null }),
  role,
});

/** An organization of up to a few dozen things; most are small. */
export const organization: fc.Arbitrary<Organization> = fc.record({
  title: title(2, 255),
  emailDomains: fc.uniqueArray(fc.constantFrom('acme.example', 'zürich.example', 'a-b.acme.example')),
  hostname: maybe(fc.constantFrom('acme-docs', 'null', '007')),
  defaultRole: role,
  defaultSite: fc.option(some, { nil: null }),
  sso: fc.boolean(),
  ai: fc.boolean(),
  inviteLinks: fc.boolean(),
  people: fc.array(person, { minLength: 3, maxLength: 7 }),
  teams: fc.array(team, { maxLength: 4 }),
  fields: fc.uniqueArray(field, { maxLength: 5, selector: ({ name }) => name }),
  library: fc.array(node, { maxLength: 5 }),
  sites: fc.array(site, { maxLength: 3 }),
  specs: fc.uniqueArray(spec, { maxLength: 3, selector: (one) => one.slug }),
  translations: fc.array(title(1, 100), { maxLength: 3 }),
  saml: fc.array(provider, { maxLength: 2 }),
});
