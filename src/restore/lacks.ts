import { essenceOf } from '../backup/diff.js';
import { pluralOf } from '../base/name.js';
import { isObject } from '../base/values.js';
import { same, shownValue } from '../jobs/state.js';
import type { RestorePart } from '../model/resources.js';
import { storedResources } from '../model/stored.js';
import { kinds } from '../organization/kinds/index.js';
import type { Kind, Live } from '../organization/model.js';
import type { PlanNote } from '../plans/plan.js';
import { type AccessCompared, accessWords } from './access.js';
import {
  type FieldsOf,
  goneFrom,
  iconOf,
  isNone,
  lostLevels,
  otherIn,
  otherWhere,
  pairsOf,
  valuesSince,
} from './differing.js';
import { ofAccess, partOf } from './parts.js';

/**
 * What each kind of file in a backup becomes in a restore: for `--only`, the command and the guide. A test compares both.
 */

const byPlan = (part: RestorePart, what: string) => ({ part, how: `${what} through the plan.` });
const byImport = {
  part: 'pages' as const,
  how: 'Pages and files by an import into a change request, from --import-base.',
};

const inYourName = 'They would be written in your name, at the time of the restore.';
const noOperation = 'The API cannot set them.';

/** By the kind of file in the manifests. */
const told: Readonly<Record<string, Restoring>> = {
  organization: {
    by: byPlan('settings', 'Settings'),
    cannot: [
      {
        what: 'logo',
        why: 'The platform does not return the URL that was set.',
        count: ({ hasLogo }) => Number(hasLogo),
      },
      {
        what: 'type, use case, plan and custom domain of the organization',
        why: noOperation,
        of: { kind: 'organization', fields: ['type', 'useCase', 'communityType', 'plan', 'customHostname'] },
      },
    ],
  },
  members: {
    by: byPlan('members', 'Roles and SSO of members who are still there'),
    cannot: [
      {
        what: 'members who left',
        why: 'The API cannot add members: invite them, and run the restore again.',
        found: true,
      },
      {
        what: 'members linked to SSO since',
        why: 'The API cannot remove a member from SSO.',
        differs: true,
        count: otherWhere('people', (saved, live) => live?.sso === true && saved.sso !== true),
      },
      {
        what: 'disabled members',
        why: 'The API cannot disable or enable a member.',
        differs: true,
        of: { kind: 'people', fields: ['disabled'] },
        count: otherWhere(
          'people',
          (saved, live) => live !== undefined && !live.disabled !== !saved.disabled,
        ),
      },
    ],
  },
  access: {
    beside: ofAccess,
    cannot: [
      {
        what: 'permissions of single people in spaces',
        why: 'The API cannot set them; the default levels of spaces and collections are restored.',
        differs: true,
        count: ({ access }) => (access?.state === 'compared' ? access.changes : undefined),
        more: ({ access }) => (access?.state === 'compared' ? accessWords(access) : []),
      },
    ],
  },
  orders: { by: byPlan('structure', 'The order of the spaces in each collection') },
  collections: {
    by: byPlan('structure', 'Collections'),
    cannot: [
      {
        what: 'permissions of people and teams in deleted collections',
        why: 'The API cannot show or set them.',
        differs: true,
        count: goneFrom('collections'),
      },
    ],
  },
  'custom-fields': {
    by: byPlan('fields', 'Definitions of custom fields'),
    cannot: [
      {
        what: 'types of custom fields',
        why: 'The API cannot change the type of a custom field.',
        found: true,
      },
    ],
  },
  translations: {
    by: byPlan('translations', 'Titles of translation settings'),
    cannot: [
      {
        what: 'languages of translations',
        why: 'The API cannot set the languages.',
        of: { kind: 'translations', fields: ['languages'] },
      },
    ],
  },
  saml: {
    by: byPlan('saml', 'SAML providers with their certificates'),
    cannot: [
      {
        what: 'ids of deleted SAML providers',
        why: 'A new provider gets a new id and new addresses, which you must enter at your identity provider.',
        count: goneFrom('saml'),
      },
    ],
  },
  sso: {
    beside: 'members',
    cannot: [
      { what: 'SSO logins', why: 'The API cannot create SSO logins: people log in again.', count: 'sso' },
    ],
  },
  team: {
    by: byPlan('teams', 'Teams'),
    cannot: [
      {
        what: 'permissions of deleted teams in spaces and collections',
        why: 'The API cannot show or set them.',
        differs: true,
        count: goneFrom('teams'),
      },
    ],
  },
  'team-members': { by: byPlan('teams', 'Members of teams with their roles') },
  'openapi-spec': { by: byPlan('specs', 'Specs that have a URL') },
  'openapi-content': {
    beside: 'specs',
    cannot: [
      {
        what: 'texts of OpenAPI specs',
        why: 'The backup does not have the text as it was uploaded: run "docs openapi publish" with yours.',
        count: ({ saved }) =>
          (saved.items.get('openapi') ?? []).filter(({ fields }) => typeof fields.url !== 'string').length,
      },
    ],
  },
  'openapi-versions': {
    beside: 'specs',
    cannot: [
      {
        what: 'versions of OpenAPI specs',
        why: 'The platform processes a spec again and numbers its versions itself.',
        of: { kind: 'openapi', fields: ['sourceURL', 'lastVersion'] },
      },
    ],
  },
  site: {
    by: byPlan('sites', 'Sites'),
    cannot: [
      {
        what: 'publication of sites',
        why: 'The API cannot publish a site.',
        differs: true,
        of: { kind: 'sites', fields: ['published'] },
        count: otherWhere('sites', (saved, live) => saved.published === true && live?.published !== true),
      },
      {
        what: 'sites published since',
        why: 'The API cannot take a site down without deleting it.',
        differs: true,
        count: otherWhere('sites', (saved, live) => live?.published === true && saved.published !== true),
      },
      {
        what: 'icons and custom domains of sites',
        why: noOperation,
        of: { kind: 'sites', fields: ['icon', 'hostname'] },
      },
      { what: 'types of sites', why: 'The API cannot change the type of a site.', found: true },
    ],
  },
  sections: { by: byPlan('sites', 'Sections') },
  'section-groups': { by: byPlan('sites', 'Section groups') },
  'site-spaces': { by: byPlan('sites', 'The spaces of sites') },
  'adaptive-schema': {
    by: byPlan('sites', 'Adaptive schemas'),
    cannot: [
      {
        what: 'adaptive schemas set since',
        why: 'The API cannot remove the adaptive schema of a site.',
        differs: true,
        count: ({ saved, live }) =>
          pairsOf('sites', saved, live).filter(
            ([before, now]) => isNone(before.fields.schema) && !isNone(now?.fields.schema),
          ).length,
      },
    ],
  },
  space: {
    by: byPlan('structure', 'Deleted spaces, and title, place and settings of all'),
    cannot: [
      {
        what: 'default levels that spaces inherited',
        why: 'A space that left its collection is private and inherits nothing: it gets the level that it inherited.',
        differs: true,
        count: lostLevels,
      },
      {
        what: 'icons of spaces',
        why: 'The platform does not return the URL that was set.',
        differs: true,
        count: otherWhere('spaces', (saved, live) => live !== undefined && iconOf(saved) !== iconOf(live)),
      },
      {
        what: 'Git Sync and visitor authentication of spaces',
        why: noOperation,
        of: { kind: 'spaces', fields: ['gitSync', 'visitorAuth'] },
      },
    ],
  },
  fields: {
    by: byPlan('fields', 'Values of custom fields'),
    cannot: [
      {
        what: 'values of custom fields that were set since',
        why: 'The API cannot clear the value of a custom field other than text and multiple choice.',
        differs: true,
        count: valuesSince,
      },
    ],
  },
  content: {
    by: byImport,
    cannot: [
      {
        what: 'orders of pages',
        why: 'An import sorts pages by name, or "docs backup pack --numbered" keeps the order and changes their paths.',
        differs: true,
        count: ({ content }) => content.orders,
      },
      {
        what: 'reusable content',
        why: 'An import has it as text in pages.',
        differs: true,
        count: ({ content }) => content.reusables,
      },
    ],
  },
  page: {
    by: byImport,
    cannot: [
      {
        what: 'covers of pages',
        why: 'An import sets no covers.',
        differs: true,
        count: ({ content }) => content.covers,
      },
    ],
  },
  'page-markdown': { by: byImport },
  file: { by: byImport },
  comments: {
    beside: 'pages',
    cannot: [
      { what: 'comments', why: inYourName, count: 'comments' },
      { what: 'replies', why: inYourName, count: 'replies' },
    ],
  },
  'change-request': {
    beside: 'pages',
    cannot: [
      {
        what: 'change requests',
        why: 'They would be written in your name, on content that has moved on.',
        count: 'changeRequests',
      },
    ],
  },
};

/** The same with what only comes back as a whole: resources of which the registry says by which part. */
export const restoring: Readonly<Record<string, Restoring>> = {
  ...told,
  ...Object.fromEntries(
    storedResources.flatMap(({ kind, plural, restored }) =>
      restored === undefined || kind in told ? [] : [[kind, { by: byPlan(restored, sentenceCase(plural)) }]],
    ),
  ),
};

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What no backup has, by the part beside which it is told. */
export const never: readonly (Lack & { part?: RestorePart })[] = [
  { what: 'items that the run could not read', why: 'The manifest of the backup names it.', count: 'unread' },
  { what: 'closed change requests', why: 'A backup does not have them.', part: 'pages' },
  { what: 'earlier revisions', why: 'A backup does not have them.', part: 'pages' },
  { what: 'tokens, invite links and other secrets', why: 'A backup does not have them.', part: 'members' },
  { what: 'ids and URLs', why: 'Recreated items get new ones.', count: ({ created }) => created },
];

/** Fields that the platform shows and no operation sets, as the declarations have them, where they differ. */

/** What the platform decides by itself, places and names that a restore sets by other means, and other resources. */
const others: ReadonlySet<string> = new Set([
  ...['object', 'id', 'name', 'slug', 'organization', 'parent', 'permissions', 'revision', 'deletedAt'],
  ...['user', 'team', 'space', 'siteSpaces', 'section', 'sections', 'sectionGroup', 'default', 'service'],
  ...['processingState', 'lastProcessedAt', 'lastProcessErrorCode', 'hasAdvancedCustomizationFeature'],
  ...['billing', 'trial', 'blocked', 'ads', 'features', 'internal_isOnNewTrial', 'internal_billingMigration'],
]);

/** The most items that a sentence names. */
const mostNamed = 5;

/** One lack for each field, which names the items with both values. */
function unsetLacks({
  saved,
  live,
  parts,
}: Pick<Facts, 'saved' | 'live'> & { parts: ReadonlySet<RestorePart> }): Lack[] {
  return kinds
    .filter(({ name }) => parts.has(partOf[name]))
    .flatMap((kind) =>
      unsetFields(kind).flatMap((field) => {
        const differing = pairsOf(kind.name, saved, live).flatMap(([{ title, resource }, now]) => {
          const [before, after] = [resource, now?.resource].map((one) => valueIn(one, field));
          if (now === undefined || same(before, after)) return [];
          return [`${title} (${shownValue(before)} → ${shownValue(after)})`];
        });
        return differing.length === 0 ? [] : [lackOf(kind, field, differing)];
      }),
    );
}

function lackOf(kind: Kind, field: string, differing: readonly string[]): Lack {
  const rest = differing.length - mostNamed;
  const named = [...differing.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])];
  return {
    what: `${words(field)} of ${pluralOf(kind.one)}`,
    why: `The API cannot set it: ${named.join(', ')}.`,
    of: { kind: kind.name, fields: [field] },
    count: () => differing.length,
  };
}

function valueIn(resource: unknown, field: string): unknown {
  const essence = essenceOf(resource);
  return isObject(essence) ? essence[field] : undefined;
}

/** The declared fields of what a kind's list shows, without those that a restore sets and those of the table. */
function unsetFields({ name, fields, reads: [list] }: Kind): string[] {
  if (list === undefined || list.returns.kind === 'none') return [];
  const shape = list.returns.kind === 'page' ? list.returns.item : list.returns.schema;
  const known = new Set([
    ...fields.flatMap(({ key, name: own, sends = [] }) => [key, own, ...sends]),
    ...allLacks.flatMap(({ of }) => (of?.kind === name ? of.fields : [])),
  ]);
  const declared: unknown = shape.properties;
  if (!isObject(declared)) return [];
  return Object.keys(declared).filter((field) => !known.has(field) && !others.has(field));
}

const allLacks: readonly Lack[] = Object.values(restoring).flatMap(({ cannot = [] }) => cannot);

/** `gitSync` as `git sync`. */
function words(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** What a restore does not bring back, told before it starts: only what there is, of what was asked for. */

interface LackOptions extends Facts {
  parts: ReadonlySet<RestorePart>;
  /** Kinds of files that the backup has. */
  kinds: ReadonlySet<string>;
  /** Of the whole backup, or of the spaces that were named. */
  counts: Readonly<Record<string, number>>;
  /** The spaces that were named; undefined for all. */
  only: ReadonlySet<string> | undefined;
}

/** Kinds of files that every space of a backup may have. */
const ofSpaces: ReadonlySet<string> = new Set([
  ...['space', 'fields', 'content', 'page', 'page-markdown', 'file', 'comments', 'change-request'],
]);

export interface Lacks {
  notes: PlanNote[];
  /** The notes that tell what differs now, and stays so. */
  differing: PlanNote[];
}

/** What does not come back, each with how many there are where that is counted. */
export function lackNotes(options: LackOptions): Lacks {
  const { parts, kinds, only } = options;
  const facts = only === undefined ? options : { ...options, saved: onlyOf(options.saved, only) };
  const own = Object.entries(restoring).flatMap(([kind, { by, beside, cannot = [] }]) => {
    const asked = [by?.part ?? beside ?? []].flat().some((part) => parts.has(part));
    const isThere = ofSpaces.has(kind) || ((only === undefined || kind === 'access') && kinds.has(kind));
    return isThere && asked ? cannot : [];
  });
  const others = never.filter(({ part }) => part === undefined || parts.has(part));
  const found = [...own, ...unsetLacks(facts), ...others].flatMap((lack) => noteOf(lack, facts));
  const differing = found.filter(
    ({ lack, note }) => (lack.differs || lack.of !== undefined) && note.count !== undefined,
  );
  return { notes: found.map(({ note }) => note), differing: differing.map(({ note }) => note) };
}

function noteOf(lack: Lack, facts: LackOptions): { lack: Lack; note: PlanNote }[] {
  const { what, why, found, more } = lack;
  const count = countOf(lack, facts);
  if (found || count === 0) return [];
  const message = [why, ...(more?.(facts) ?? [])].join(' ');
  return [
    { lack, note: { code: 'not-restored', item: what, message, ...(count !== undefined && { count }) } },
  ];
}

function countOf({ count, of }: Lack, facts: LackOptions): number | undefined {
  if (typeof count === 'function') return count(facts);
  if (count !== undefined) return facts.counts[count] ?? 0;
  return of && otherIn(of)(facts);
}

function onlyOf(saved: Live, only: ReadonlySet<string>): Live {
  const spaces = (saved.items.get('spaces') ?? []).filter(({ id }) => only.has(id));
  return { ...saved, items: new Map([...saved.items, ['spaces', spaces]]) };
}

/** What the table of a restore says of one kind of file. */

interface Restoring {
  /** How it comes back, as a sentence; absent where nothing of it does. */
  by?: { part: RestorePart; how: string };
  /** The parts beside which its lacks are told, where nothing of it comes back. */
  beside?: RestorePart | readonly RestorePart[];
  /** What of it does not come back, and why. */
  cannot?: readonly Lack[];
}

interface Lack {
  /** The noun, in the plural: `comments`. */
  what: string;
  /** A sentence. */
  why: string;
  /**
   * How many there are: a key of the counts in the manifest, or counted from what the backup and the platform show.
   * It is told only where there are some; absent or undefined where that cannot be counted, and it is told always.
   */
  count?: string | ((facts: Facts) => number | undefined);
  /** What it comes to now, as sentences after `why`. */
  more?(facts: Facts): readonly string[];
  /** The fields that it is about; without a count, the items are counted that differ in them. */
  of?: FieldsOf;
  /** It is counted from what differs now, so where there is none, nothing of it is lost. */
  differs?: true;
  /** The planner has a finding for each, so it is not told twice. */
  found?: true;
}

/** What lacks are counted from. */
export interface Facts {
  saved: Live;
  live: Live;
  /** What the comparison of content found. */
  content: Uncarried;
  /** Whether the organization has a logo in the backup. */
  hasLogo: boolean;
  /** How many items are created again. */
  created: number;
  /** Undefined where access was not compared. */
  access: AccessCompared | undefined;
}

/** What an import does not carry, where it differs: numbers of spaces, pages and reusable contents. */
export interface Uncarried {
  orders: number;
  covers: number;
  reusables: number;
}
