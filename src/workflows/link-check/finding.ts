import { createHash } from 'node:crypto';
import type { LinkItem, Reference } from '../../api/resources/spaces.js';
import { type Static, Type } from '../../api/type.js';
import { defined } from '../../defined.js';
import { closed, maybe, stateOf, text } from '../../output/printed-shapes.js';
import type { Unread } from '../reading/reading.js';

export const linkStatuses = ['ok', 'broken', 'in-app'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

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

export type FoundSpace = Finding['space'];
export type FoundPage = NonNullable<Finding['page']>;
export type Link = Static<typeof LinkItem>;

/** @param page that the link is on; undefined if the platform does not tell */
export function findingOf(
  link: Link,
  space: FoundSpace,
  page: FoundPage | undefined,
  changeRequest?: string,
): Finding {
  const target = targetOf(link.targetReference);
  const identity = [space.id, page?.id ?? '', link.status, target.kind, target.url, target.page, target.file];
  return defined({
    fingerprint: fingerprint([...identity, target.space === space.id ? '' : target.space]),
    status: link.status,
    link: linkWords(target, space.id),
    space,
    page,
    target,
    changeRequest,
  });
}

/** No revision is part of it: the same link stays the same when the page is edited elsewhere. */
function fingerprint(identity: readonly (string | undefined)[]): string {
  const text = JSON.stringify(identity.map((part) => part ?? ''));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function targetOf(reference: Static<typeof Reference>): Finding['target'] {
  const { kind, url, page, file, space } = reference;
  const members = Object.entries({ kind, url, page, file, space });
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string'));
}

/** `guides/setup.md`, `page p1`, `file f1 of space s2`. */
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
export interface Looked {
  space: FoundSpace;
  findings: Finding[];
  /** Links in all, whatever their status; undefined if the platform does not tell. */
  links: number | undefined;
  unread: Unread[];
}
