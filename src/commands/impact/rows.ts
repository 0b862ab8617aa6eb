import type { Dependent, Impact, ImpactLink, RoleChange } from '../../access/impact/change.js';
import type { InboundLink } from '../../access/links/inbound.js';
import { defined } from '../../base/values.js';

/** An impact as a list: a row for each thing that was found. */

export interface Row {
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
export function targetWords({ title, spaceTitle, ...to }: ImpactLink['to']): string {
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
export function placeWords({ from: { space, page } }: InboundLink): string {
  return page === undefined ? space.title : `${space.title}: ${page.title ?? page.id}`;
}

export function personWords({ person }: RoleChange): string {
  return person.email ?? person.id;
}

/** `edit → no access`, `edit → between read and edit`. */
export function roleWords({ from, to, most }: RoleChange): string {
  const role = (one: string | null) => one ?? 'no access';
  const after = most === undefined ? role(to) : `between ${role(to)} and ${most}`;
  return `${role(from)} → ${after}`;
}
