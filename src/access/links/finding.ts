import { createHash } from 'node:crypto';
import type { Reference } from '../../api/resources/spaces.js';
import { type Static, Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { closed, maybe, oneOf, orNull, stateOf, text } from '../../output/printed-shapes.js';
import type { Unread } from '../../snapshot/unread.js';
import {
  type FoundPage,
  type FoundSpace,
  idsOf,
  type Link,
  type LinkStatus,
  linkStatuses,
} from './reference.js';

/** What is printed of a link, of what is wrong with it, and of what could be written in its place. */

/**
 * - `fixed`: an open change request has it corrected, as a read of its links and texts shows
 * - `proposed`: there is a target; `by` says how it was found
 * - `ambiguous`: there are several, in `candidates`
 * - `left`: there is none, or the page cannot be imported without a loss; `why` says which
 */
export const fixStatuses = ['fixed', 'proposed', 'ambiguous', 'left'] as const;
export type FixStatus = (typeof fixStatuses)[number];

const NamedItem = closed({ id: text, title: maybe });

export const NewTarget = closed({
  space: NamedItem,
  page: Type.Optional(closed({ id: text, title: text, path: text })),
  file: Type.Optional(closed({ id: text, name: text })),
  url: Type.String({ description: 'New text of the link in place of the broken target' }),
});
export type NewTarget = Static<typeof NewTarget>;

export const LinkFix = closed({
  fingerprint: Type.String({
    description: 'As in docs links check: the same for the same link in every run',
  }),
  status: stateOf(...fixStatuses),
  by: orNull(oneOf('id', 'title')),
  space: NamedItem,
  page: Type.Optional(closed({ id: text, title: maybe, path: maybe, url: maybe, file: maybe })),
  link: Type.String({ description: 'Where the link leads, in words' }),
  target: orNull(NewTarget),
  candidates: Type.Array(NewTarget),
  why: orNull(text),
  changeRequest: Type.Optional(
    Type.Integer({ description: 'Number of the open change request that fixes it' }),
  ),
});
export type LinkFix = Static<typeof LinkFix>;

export const reportFormats = ['sarif', 'junit', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** One link on one page. */
export const Finding = closed({
  fingerprint: Type.String({ description: 'The same in every run for the same link on the same page' }),
  status: stateOf(...linkStatuses),
  link: Type.String({ description: 'Where the link leads, in words' }),
  space: closed({ id: text, title: maybe }),
  page: Type.Optional(closed({ id: text, title: maybe, path: maybe, url: maybe, file: maybe })),
  target: closed({ kind: maybe, url: maybe, page: maybe, file: maybe, space: maybe }),
  changeRequest: Type.Optional(Type.String({ description: 'Change request that was looked at' })),
});
export type Finding = Static<typeof Finding>;

/** A resource in a reference: the whole of it, or its id. */
type Referred = Static<typeof Reference>['page'];

/** Makes the findings of a space, or of a change request, in the order of its links. */
export class Findings {
  /** By fingerprint: what earlier versions gave a finding whose references are whole resources. */
  readonly former = new Map<string, string>();
  readonly #space: FoundSpace;
  readonly #changeRequest: string | undefined;
  /** How many links without a target were found, by page and status. */
  readonly #nowhere = new Map<string, number>();

  constructor(space: FoundSpace, changeRequest?: string) {
    this.#space = space;
    this.#changeRequest = changeRequest;
  }

  /**
   * @param page that the link is on; undefined if the platform does not tell
   * @param place the page as the link refers to it
   */
  of(link: Link, page: FoundPage | undefined, place: Referred = page?.id): Finding {
    const { status } = link;
    const space = this.#space;
    const target = idsOf(link.targetReference);
    const turn = this.#turn(link, page);
    const own = fingerprint([...identityOf(space, page?.id, status, target), ...turn]);
    const former = fingerprint(identityOf(space, place, status, formerTargetOf(link.targetReference)));
    if (turn.length === 0 && former !== own) this.former.set(own, former);
    return defined({
      fingerprint: own,
      status,
      link: linkWords(target, space.id),
      space,
      page,
      target,
      changeRequest: this.#changeRequest,
    });
  }

  /** Tells links without a target apart by their order on the page; the first has no number. */
  #turn({ status, targetReference }: Link, page: FoundPage | undefined): string[] {
    if (Object.keys(idsOf(targetReference)).length > 0) return [];
    const key = `${status} ${page?.id}`;
    const before = this.#nowhere.get(key) ?? 0;
    this.#nowhere.set(key, before + 1);
    return before === 0 ? [] : [String(before + 1)];
  }
}

/** No revision is part of it: the same link stays the same when the page is edited elsewhere. */
function identityOf(
  space: FoundSpace,
  page: Referred,
  status: LinkStatus,
  { kind, url, page: toPage, file, space: toSpace }: Finding['target'],
): readonly unknown[] {
  return [space.id, page, status, kind, url, toPage, file, toSpace === space.id ? undefined : toSpace];
}

function fingerprint(identity: readonly unknown[]): string {
  const text = JSON.stringify(identity.map((part) => part ?? ''));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The target as earlier versions took it, which left out whole resources. */
function formerTargetOf(reference: Link['targetReference']): Finding['target'] {
  const { kind, url, page, file, space } = reference ?? {};
  const members = Object.entries({ kind, url, page, file, space });
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string'));
}

/** `guides/setup.md`, `page p1`, `file f1 of space s2`, `unknown` where the platform does not tell. */
function linkWords({ kind, url, page, file, space }: Finding['target'], from: string): string {
  if (url !== undefined) return url;
  const what =
    page !== undefined ? `page ${page}` : file !== undefined ? `file ${file}` : (kind ?? 'unknown');
  if (space === undefined || space === from) return what;
  return what === 'space' ? `space ${space}` : `${what} of space ${space}`;
}

/** The title of a finding's page, else its id. */
export function pageName({ page }: Pick<Finding, 'page'>): string {
  return page === undefined ? 'page unknown' : (page.title ?? page.id);
}

export function spaceName({ id, title }: FoundSpace): string {
  return title === undefined || title === '' ? id : title;
}

/** What came of looking at a space, or at a page of a change request. */
export interface LinkFindings {
  space: FoundSpace;
  findings: Finding[];
  /** Links in all, whatever their status; undefined if the platform does not tell. */
  links: number | undefined;
  unread: Unread[];
  /** Fingerprints that earlier versions gave some findings, by those of now. */
  former?: ReadonlyMap<string, string>;
}
