import { pluralOf } from '../../base/name.js';
import { counted, safeLine } from '../../output/text.js';
import { outOfTime } from '../../snapshot/tasks.js';
import type { Unread } from '../../snapshot/unread.js';
import { rankOf } from '../levels.js';
import type { Affected, Dependent, Impact, RoleChange } from './shapes.js';

/** An impact in a few sentences, for confirmations and plans. All of it shows `docs impact`. */

/** What a question says by itself, so that the summary leaves it out: kinds of dependents, and what is final. */
export type DependentKind = Dependent['kind'] | 'irreversible';

/** How much an impact holds, for programs. */
export interface ImpactCounts {
  /** Links from other spaces. */
  links: number;
  /** Published addresses that stop working or become others. */
  urls: number;
  /** People whose role in a space changes, or may change. */
  people: number;
  /** Items that depend on it, by kind; kinds without any are left out. */
  dependents: Partial<Record<Dependent['kind'], number>>;
  /** Items that could not be read. */
  unknown: number;
}

export type Summarized = Pick<
  Impact,
  'things' | 'links' | 'urls' | 'dependents' | 'people' | 'unknown' | 'irreversible'
>;

/**
 * Several impacts as one: what two of them name is there once.
 * @param impacts of one organization
 */
export function together(impacts: readonly Impact[]): Summarized {
  const people = new Map<string, RoleChange>();
  for (const change of impacts.flatMap((impact) => impact.people)) {
    const key = JSON.stringify([change.person.id, change.space.id]);
    const known = people.get(key);
    if (known === undefined || weightOf(change) > weightOf(known)) people.set(key, change);
  }
  return {
    things: once(
      impacts.flatMap(({ things }) => things),
      placeOf,
    ),
    links: once(impacts.flatMap(({ links }) => links)),
    urls: once(
      impacts.flatMap(({ urls }) => urls),
      ({ url }) => url,
    ),
    dependents: once(impacts.flatMap(({ dependents }) => dependents)),
    people: [...people.values()],
    unknown: once(
      impacts.flatMap(({ unknown }) => unknown),
      ({ kind, id, space }) => [kind, id, space],
    ),
    irreversible: [...new Set(impacts.flatMap(({ irreversible }) => irreversible))],
  };
}

function once<T>(all: readonly T[], keyOf: (one: T) => unknown = (one) => one): T[] {
  const found = new Map<string, T>();
  for (const one of all) {
    const key = JSON.stringify(keyOf(one));
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

function placeOf({ object, id, within }: Affected): unknown {
  return [object, id, within];
}

export function countsOf({ links, urls, people, dependents, unknown }: Summarized): ImpactCounts {
  const kinds: ImpactCounts['dependents'] = {};
  for (const { kind } of dependents) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    links: links.length,
    urls: urls.length,
    people: new Set(people.map(({ person }) => person.id)).size,
    dependents: kinds,
    unknown: unknown.length,
  };
}

/**
 * What an impact comes to: a few sentences, sanitised, the gravest first; none where nothing was found.
 * @param told what is not said again
 * @param seconds how long it was looked at, where that was limited
 */
export function summaryOf(
  impact: Summarized,
  { told = new Set(), seconds }: { told?: ReadonlySet<DependentKind>; seconds?: number } = {},
): string[] {
  const { things, links, urls, people, unknown, irreversible } = impact;
  const isOne = things.length === 1;
  const dependents = impact.dependents.filter(({ kind }) => !told.has(kind));
  const titles = new Set(things.map(({ title }) => title));
  const isRefused = ({ refused }: Dependent) => refused === true;
  return [
    ...dependentLines(dependents.filter(isRefused), titles),
    ...linkLines(links, isOne),
    ...urlLines(urls),
    ...dependentLines(
      dependents.filter((one) => !isRefused(one)),
      titles,
    ),
    ...peopleLines(people),
    ...(told.has('irreversible') ? [] : someOf(irreversible)),
    ...unknownLines(unknown, seconds),
  ].map(safeLine);
}

function linkLines(all: Impact['links'], isOne: boolean): string[] {
  const out = all.filter(({ outgoing }) => outgoing === true).length;
  const links = all.filter(({ outgoing }) => outgoing !== true);
  return [
    ...inboundLines(links, isOne),
    ...(out === 0
      ? []
      : [`${counted(out, 'link leads', 'links lead')} from ${isOne ? 'here' : 'these'} to items that stay.`]),
  ];
}

function inboundLines(links: Impact['links'], isOne: boolean): string[] {
  if (links.length === 0) return [];
  const spaces = new Set(links.map(({ from }) => from.space.id)).size;
  const where = counted(spaces, 'other space');
  const to = isOne ? 'here' : 'to these';
  return [`${counted(links.length, 'link')} in ${where} ${links.length === 1 ? 'leads' : 'lead'} ${to}.`];
}

function urlLines(urls: Impact['urls']): string[] {
  const changed = urls.filter(({ becomes }) => becomes !== undefined).length;
  const dead = urls.length - changed;
  return [
    ...(dead > 0 ? [`${counted(dead, 'published URL stops', 'published URLs stop')} working.`] : []),
    ...(changed > 0 ? [`${counted(changed, 'published URL changes', 'published URLs change')}.`] : []),
  ];
}

/** By kind: what becomes of one, and of several. */
const fatesOf: Readonly<Record<Dependent['kind'], readonly [one: string, many: string]>> = {
  condition: ['condition goes with it', 'conditions go with it'],
  default: ['default is affected', 'defaults are affected'],
  spec: ['OpenAPI spec is affected', 'OpenAPI specs are affected'],
  'change-request': ['change request is pending', 'change requests are pending'],
  'site-space': ['place on a site is affected', 'places on sites are affected'],
  section: ['section has no content left', 'sections have no content left'],
  grant: ['grant is affected', 'grants are affected'],
  'field-value': ['value of a custom field goes', 'values of custom fields go'],
  clash: ['name is taken', 'names are taken'],
  moved: ['item moves elsewhere', 'items move elsewhere'],
  team: ['team loses a member', 'teams lose a member'],
  member: ['membership is affected', 'memberships are affected'],
  reply: ['comment loses its replies', 'comments lose their replies'],
  'sign-in': ['way to sign in is affected', 'ways to sign in are affected'],
  integration: ['integration is affected', 'integrations are affected'],
  access: ['space opens to more people', 'spaces open to more people'],
  refusal: ['transfer will be refused', 'transfers will be refused'],
};

/** Kinds whose items are each listed in their own words, and how many of them at most. */
const inWords: ReadonlySet<Dependent['kind']> = new Set([
  ...(['default', 'grant', 'clash', 'member', 'reply', 'sign-in', 'integration', 'refusal'] as const),
]);
const mostInWords = 2;

/** @param titles what the things themselves are called, which need not be said */
function dependentLines(dependents: Impact['dependents'], titles: ReadonlySet<string>): string[] {
  const kinds = new Map<Dependent['kind'], Dependent[]>();
  for (const one of dependents) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  return [...kinds].flatMap(([kind, all]) => {
    const told = ({ title, what }: Dependent) =>
      title === undefined || (titles.size === 1 && titles.has(title)) ? what : `${title}: ${what}`;
    if (inWords.has(kind) && all.length <= mostInWords) return all.map(told);
    return [`${counted(all.length, ...fatesOf[kind])}.`];
  });
}

/** By weight from 0, the gravest last: what becomes of one person, and of several. */
const fates: readonly (readonly [one: string, many: string])[] = [
  ['person may get a higher role', 'people may get a higher role'],
  ['person gets a higher role', 'people get a higher role'],
  ['person may get a lower role', 'people may get a lower role'],
  ['person gets a lower role', 'people get a lower role'],
  ['person may lose access', 'people may lose access'],
  ['person loses access', 'people lose access'],
];

/** How grave a change of a role is: of several changes for one person, only the gravest is shown. */
function weightOf({ from, to, certain }: RoleChange): number {
  const sure = certain ? 1 : 0;
  if (rankOf(to) >= rankOf(from)) return sure;
  return (to === null ? 4 : 2) + sure;
}

function peopleLines(people: Impact['people']): string[] {
  const gravest = new Map<string, number>();
  for (const change of people)
    gravest.set(change.person.id, Math.max(gravest.get(change.person.id) ?? 0, weightOf(change)));
  const weights = [...gravest.values()];
  const lines = fates.map(([one, many], weight) => {
    const count = weights.filter((own) => own === weight).length;
    return count === 0 ? [] : [`${counted(count, one, many)}.`];
  });
  return lines.reverse().flat();
}

const mostSentences = 3;

function someOf(sentences: readonly string[]): string[] {
  const left = sentences.length - mostSentences;
  if (left <= 0) return [...sentences];
  return [...sentences.slice(0, mostSentences), `${counted(left, 'more thing')} cannot be undone.`];
}

/** What was not looked at, by kind: for lack of time, and since it could not be read. */
function unknownLines(unknown: readonly Unread[], seconds: number | undefined): string[] {
  const isLate = ({ error }: Unread) => error.code === outOfTime;
  const late = unknown.filter(isLate);
  const refused = unknown.filter((one) => !isLate(one));
  const within = seconds === undefined ? 'in time' : `within ${seconds} s`;
  return [
    ...(late.length > 0 ? [`Could not look at ${kindsOf(late)} ${within}.`] : []),
    ...(refused.length > 0 ? [`Could not look at ${kindsOf(refused)}.`] : []),
  ];
}

/** `3 spaces, the sites and 1 member`. */
function kindsOf(unknown: readonly Unread[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of unknown) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const parts = [...kinds].map(([kind, count]) => {
    const noun = kind.replaceAll('-', ' ');
    // A list as a whole is called by what it lists.
    return noun.endsWith('s') && count === 1 ? `the ${noun}` : counted(count, noun, pluralOf(noun));
  });
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
