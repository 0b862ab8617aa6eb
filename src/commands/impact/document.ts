import type {
  Dependent,
  Impact,
  ImpactAspect,
  ImpactLink,
  ImpactQuestion,
  Redirect,
  RoleChange,
} from '../../access/impact/shapes.js';

import type { InboundLink } from '../../access/links/inbound.js';
import { defined } from '../../base/values.js';
import {
  type Document,
  type Labelled,
  type Need,
  type TablePart,
  type TerminalPart,
  type TilesPart,
  tablePart,
} from '../../document/document.js';
import { nounOfObject } from '../../model/resources.js';
import { counted, grouped } from '../../output/text.js';
import { notReadLines, unreadWords } from '../../snapshot/unread.js';

/** What an impact says, in every medium. */

/** An impact as a terminal and Markdown show it: a table for each thing that was looked for. */
export function impactDocument(impact: Impact): Document<TablePart> {
  return { title: titleOf(impact), parts: sectionsOf(impact).map(tableOf) };
}

/**
 * The same as a page: what could not be read stands above all of it.
 * @param facts where it was read
 */
export function impactPage(impact: Impact, facts: readonly Labelled[]): Document {
  const { title, parts } = impactDocument(impact);
  return {
    title,
    headline: headlineOf(impact),
    needs: needsOf(impact),
    about: ['docs only read; nothing was changed.'],
    missing: notReadLines(impact.unknown),
    facts: [...facts, ['Looked for', impact.looked.join(', ')]],
    parts: [flowOf(impact), ...parts.filter((part) => part.title !== unreadTitle).map(pageTable)],
  };
}

/** The same on a terminal, where the title has the ids that the next command needs. */
export function impactDrawn(impact: Impact): Document<TerminalPart> {
  const { title, parts } = impactDocument(impact);
  return {
    ...{ title, headline: headlineOf(impact), needs: needsOf(impact) },
    about: [title],
    // What cannot be undone stands among the needs.
    parts: [flowOf(impact), ...parts.filter((part) => part.title !== lastingTitle(impact))],
  };
}

/** `Deleting space Guide breaks 3 links and 12 published URLs, and changes access for 9 people`. */
function headlineOf(impact: Impact): string {
  const { links, urls, people, dependents, unknown, things, question } = impact;
  const [thing] = things;
  const name = thing === undefined ? 'it' : thing.title;
  const what = `${verbs[question.action]} ${things.length > 1 ? counted(things.length, 'thing') : name}`;
  const counts = [
    ...(links.length > 0 ? [`breaks ${counted(links.length, 'link')}`] : []),
    ...(urls.length > 0 ? [`changes ${counted(urls.length, 'published URL')}`] : []),
    ...(people.length > 0
      ? [
          `changes access for ${counted(new Set(people.map(({ person }) => person.id)).size, 'person', 'people')}`,
        ]
      : []),
    ...(dependents.length > 0 ? [`touches ${counted(dependents.length, 'other thing')}`] : []),
  ];
  if (counts.length === 0)
    return `${what}: ${unknown.length === 0 ? 'nothing else was found to change' : 'nothing found in the parts that could be read'}`;
  const last = counts.pop() ?? '';
  return `${what} ${counts.length === 0 ? last : `${counts.join(', ')} and ${last}`}`;
}

/** From the thing to whom its change reaches. */
function flowOf(impact: Impact): TilesPart {
  const { things, looked, urls, links, people, dependents, unknown } = impact;
  const [thing] = things;
  const sites = new Set(urls.map(({ site }) => site)).size;
  const persons = new Set(people.map(({ person }) => person.id)).size;
  const isKnown = unknown.length === 0;
  const step = (aspect: ImpactAspect, label: string, count: number) => {
    const value = count === 0 && !isKnown ? 'unknown' : grouped(count);
    return looked.includes(aspect) ? [{ label, value, tone: count > 0 ? ('warn' as const) : undefined }] : [];
  };
  const first = things.length > 1 ? grouped(things.length) : (thing?.title ?? '');
  return {
    kind: 'tiles',
    title: 'How far it reaches',
    leads: true,
    tiles: [
      { label: nounOfObject(thing?.object ?? 'space'), value: first },
      ...step('dependents', 'other things', dependents.length),
      ...step('urls', 'sites', sites),
      ...step('urls', 'published URLs', urls.length),
      ...step('links', 'links from elsewhere', links.length),
      ...step('people', 'people', persons),
    ],
  };
}

/** What the platform refuses and what stays lost first, then each aspect in a line. */
function needsOf(impact: Impact): Need[] {
  const { links, urls, people, dependents, irreversible } = impact;
  const refused = dependents.filter((one) => one.refused === true);
  const line = (count: number, severity: Need['severity'], text: string, aspect: ImpactAspect): Need[] =>
    count === 0 ? [] : [{ severity, text, part: makers[aspect](impact).title }];
  const gains = people.filter(({ from, to }) => from === null && to !== null).length;
  return [
    ...irreversible.map((text): Need => ({ severity: 'irreversible', text })),
    ...refused.map(
      ({ title, id, what }): Need => ({ severity: 'attention', text: `${title ?? id}: ${what}` }),
    ),
    ...line(
      urls.length,
      'attention',
      counted(urls.length, 'published URL stops working or changes', 'published URLs stop working or change'),
      'urls',
    ),
    ...line(
      links.length,
      'attention',
      counted(links.length, 'link from elsewhere breaks', 'links from elsewhere break'),
      'links',
    ),
    ...line(
      people.length,
      gains > 0 ? 'widening' : 'attention',
      `${counted(people.length, 'role in a space', 'roles in spaces')} may change${gains > 0 ? `, ${counted(gains, 'person gains', 'people gain')} access` : ''}`,
      'people',
    ),
  ];
}

const unreadTitle = 'Could not be read';

/** Columns are filtered by their label, so each has one. */
function pageTable({ title, columns, rows, empty }: TablePart): TablePart {
  const named = Object.fromEntries(columns.map(({ label, as }) => [label || 'Note', as]));
  return tablePart(title, named, { rows, empty: empty || 'Nothing was found.' });
}

/** A part: a title with a count, and a table. */
interface Section {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Whether the first column leads to the second. */
  leads?: true;
  /** What to say where nothing was found; undefined where the section is then left out. */
  none?: string;
}

function tableOf({ title, columns, rows, none = '', leads }: Section): TablePart {
  const named = Object.fromEntries(columns.map((label) => [label, 'text' as const]));
  return { ...tablePart(title, named, { rows, empty: none }), ...(leads && { leads }) };
}

const verbs: Readonly<Record<ImpactQuestion['action'], string>> = {
  delete: 'Deleting',
  move: 'Moving',
  transfer: 'Transferring',
  rename: 'Renaming',
};

function lastingTitle({ question: { action } }: Impact): string {
  return action === 'transfer' ? 'Cannot be undone' : 'Limits of undo';
}

/** How many things a title names. */
const mostNamed = 3;

/** `Deleting space Product Guide (s1)`. */
function titleOf({ question: { action, to }, things, target }: Impact): string {
  const named = things.slice(0, mostNamed).map(({ object, title, id }) => {
    const name = title === id ? id : `${title} (${id})`;
    return `${nounOfObject(object)} ${name}`;
  });
  const more = things.length - named.length;
  const rest = more > 0 ? [`${more} more`] : [];
  return `${verbs[action]} ${[...named, ...rest].join(', ')}${targetOf(to, target)}`;
}

function targetOf(to: ImpactQuestion['to'], target: Impact['target']): string {
  if (to === undefined) return '';
  if (to.parent === null) return ' to the top level';
  const name = (id: string) => (target === undefined || target.title === id ? id : `${target.title} (${id})`);
  if (to.parent !== undefined) return ` to collection ${name(to.parent)}`;
  if (to.organization !== undefined) return ` to organization ${name(to.organization)}`;
  const entries = Object.entries(to).map(([field, value]) =>
    isTitle(field) ? JSON.stringify(value) : `${field} ${value ?? 'none'}`,
  );
  return entries.length === 0 ? '' : ` to ${entries.join(', ')}`;
}

function isTitle(field: string): boolean {
  return field === 'title' || field === 'label';
}

/** The new title where nothing else becomes new; undefined for all other questions. */
function newTitleOf({ question: { action, to = {} } }: Impact): string | undefined {
  return action === 'rename' && Object.keys(to).every(isTitle) ? (to.title ?? to.label) : undefined;
}

/** What to say of a new title where nothing was found. */
function titleNone(aspect: ImpactAspect, { looked, things: [thing] }: Impact): string | undefined {
  const both = looked.includes('links') && looked.includes('urls');
  if (aspect === 'links')
    return both ? 'Links use ids, and no address contains the title.' : 'Links go by id, not by title.';
  if (aspect === 'urls') return both ? undefined : 'No published URL contains the title.';
  // Roles are not read for a title, so nothing is said of them.
  if (aspect === 'people') return undefined;
  const kind = nounOfObject(thing?.object ?? 'space');
  return `No other ${kind} found with this title${thing?.object === 'space' ? ', and no site shows it' : ''}.`;
}

const goes: Readonly<Record<Redirect['why'], string>> = {
  moved: '',
  elsewhere: ' (same page)',
  parent: ' (nearest page left)',
  'nothing-left': 'nowhere left to send readers',
  'not-told': 'the platform does not show the new address',
};

function urlRows({ urls, redirects }: Impact): string[][] {
  const byUrl = new Map(redirects.map((redirect) => [redirect.from, redirect]));
  return urls.map(({ url }) => {
    const redirect = byUrl.get(url);
    return [url, redirect === undefined ? '' : `${redirect.to ?? ''}${goes[redirect.why]}`];
  });
}

const makers: Readonly<Record<ImpactAspect, (impact: Impact) => Section>> = {
  links: (impact) => ({
    title: impact.question.action === 'transfer' ? 'Links that break' : 'Links from elsewhere that break',
    columns: ['On', 'Link'],
    rows: impact.links.map((link) => [placeWords(link), targetWords(link.to)]),
    none: impact.question.action === 'transfer' ? 'No link breaks.' : 'No link from elsewhere breaks.',
  }),
  urls: (impact) => ({
    title: impact.urls.some(({ becomes }) => becomes !== undefined)
      ? 'Published URLs that change'
      : 'Published URLs that stop working',
    columns: ['URL', 'Redirect to'],
    leads: true,
    rows: urlRows(impact),
    none: 'No published URL changes.',
  }),
  dependents: (impact) => ({
    title:
      newTitleOf(impact) === undefined
        ? 'Items that name it, use it, or are deleted with it'
        : 'Places that show the title',
    columns: ['Kind', 'Name', 'Effect'],
    rows: impact.dependents
      .filter(({ refused }) => refused !== true)
      .map(({ kind, title, id, what }) => [kind, title ?? id, what]),
    none: 'Nothing else names it or uses it.',
  }),
  people: (impact) => ({
    title:
      impact.people.length === 0 || impact.people.some(({ certain }) => certain)
        ? 'People whose access changes'
        : 'People whose access may change',
    columns: ['Person', 'Space', 'Role', ''],
    rows: impact.people.map((change) => [
      personWords(change),
      change.space.title,
      roleWords(change),
      change.certain ? '' : 'possible',
    ]),
    none: "No one's access changes.",
  }),
};

/**
 * Sections in order: why it will be refused, those that were looked for, then what could not be read and what cannot be undone; of a
 * transfer, which undo restores least of, the latter first.
 */
function sectionsOf(impact: Impact): Section[] {
  const { unknown, irreversible, looked } = impact;
  const isWhole = unknown.length === 0;
  const title = newTitleOf(impact);
  const same = impact.things.filter((thing) => thing.title === title);
  const isSame = same.length > 0 && same.length === impact.things.length;
  const found = (isSame ? [] : looked).flatMap((aspect): Section[] => {
    const section = makers[aspect](impact);
    const none = title === undefined ? section.none : titleNone(aspect, impact);
    if (none === undefined && isWhole && section.rows.length === 0) return [];
    // Nothing is claimed about what was not read; a new name or path gives nobody a role, whatever was read.
    const isSure = isWhole || (impact.question.action === 'rename' && aspect === 'people');
    const open = `${section.title}: none found in the parts that could be read.`;
    return [{ ...section, none: isSure ? (none ?? '') : open }];
  });
  const unchanged = {
    title: 'Unchanged',
    columns: ['What'],
    rows: same.map(({ object, id }) => [`The title of ${nounOfObject(object)} ${id} is the same as now.`]),
  };
  const isTransfer = impact.question.action === 'transfer';
  const refused = {
    title: 'The platform will refuse it',
    columns: ['Name', 'Why'],
    rows: impact.dependents.flatMap(({ title: name, id, what, refused: isRefused }) =>
      isRefused === true ? [[name ?? id, what]] : [],
    ),
  };
  const lasting = {
    title: lastingTitle(impact),
    columns: ['What'],
    rows: irreversible.map((sentence) => [sentence]),
  };
  return [
    refused,
    ...(isTransfer ? [lasting] : []),
    unchanged,
    ...found,
    { title: unreadTitle, columns: ['What'], rows: unknown.map((one) => [unreadWords(one)]) },
    ...(isTransfer ? [] : [lasting]),
  ].filter((section) => section.rows.length > 0 || 'none' in section);
}

/** An impact as a list: a row for each thing that was found. */

interface Row {
  aspect: 'link' | 'url' | 'dependent' | 'person';
  kind: string;
  /** What breaks: a link, an address, a thing, a person. */
  what: string;
  /** Where it is: a page, a site, a space. */
  where?: string;
  /** What it becomes, or where its readers should go. */
  becomes?: string;
  /** Of a link the page that it is on, else its space; of an address the address itself. */
  id: string;
}

export function rowsOf(impact: Impact): Row[] {
  const redirects = new Map(impact.redirects.map(({ from, to }) => [from, to]));
  const dependentRow = ({ kind, id, title, what }: Dependent): Row =>
    defined({ aspect: 'dependent' as const, kind, what, where: title, id });
  return [
    ...impact.dependents.filter(({ refused }) => refused === true).map(dependentRow),
    ...impact.links.map((link): Row => {
      const { page, space } = link.from;
      return defined({
        aspect: 'link' as const,
        kind: link.via,
        what: targetWords(link.to),
        where: placeWords(link),
        id: page?.id ?? space.id,
      });
    }),
    ...impact.urls.map(({ url, site, kind, becomes }): Row => {
      const next = becomes ?? redirects.get(url) ?? undefined;
      return defined({ aspect: 'url' as const, kind, what: url, where: site, becomes: next, id: url });
    }),
    ...impact.dependents.filter(({ refused }) => refused !== true).map(dependentRow),
    ...impact.people.map((change): Row => {
      const { person, space, certain } = change;
      const kind = certain ? 'certain' : 'possible';
      const becomes = roleWords(change);
      return {
        aspect: 'person',
        kind,
        what: personWords(change),
        where: space.title,
        becomes,
        id: person.id,
      };
    }),
  ];
}

/** `page Install (p1) of space Guide (s1)`, or the address as written. */
function targetWords({ title, spaceTitle, ...to }: ImpactLink['to']): string {
  const { kind, url, page, file, space, anchor } = to;
  if (url !== undefined) return url;
  const named = (name: string | undefined, id: string) => (name === undefined ? id : `${name} (${id})`);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const what = page !== undefined ? `page ${named(title, page)}` : file !== undefined ? `file ${file}` : kind;
  if (space === undefined) return `${what}${hash}`;
  const whole = `space ${named(spaceTitle, space)}`;
  return page === undefined && file === undefined ? whole : `${what}${hash} of ${whole}`;
}

/** `API Reference: Authentication`. */
function placeWords({ from: { space, page } }: InboundLink): string {
  return page === undefined ? space.title : `${space.title}: ${page.title ?? page.id}`;
}

function personWords({ person }: RoleChange): string {
  return person.email ?? person.id;
}

/** `edit → no access`, `edit → between read and edit`. */
function roleWords({ from, to, most }: RoleChange): string {
  const role = (one: string | null) => one ?? 'no access';
  const after = most === undefined ? role(to) : `between ${role(to)} and ${most}`;
  return `${role(from)} → ${after}`;
}
