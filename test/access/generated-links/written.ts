import type { GeneratedLink, GeneratedSpace, LinkedOrganization } from './organization.js';

/** The links of a random organization as they are written, and what they lead to. */

/** The id and the path on the site of a space, by its place. */
export const spaceId = (space: number): string => `space${space}x`;
export const pageId = (space: number, page: number): string => `page${space}n${page}`;
export const fileId = (space: number, file: number): string => `file${space}n${file}`;
export const pathOf = ({ nested }: GeneratedSpace, page: number): string =>
  nested ? Array.from({ length: page + 1 }, (_, at) => `p${at}`).join('/') : `p${page}`;

export const siteUrl = 'https://docs.generated.example/';
export const publishedUrl = (space: number): string => `${siteUrl}at-${space}/`;
export const publicUrl = (space: number): string => `https://public.sandbox.example/${spaceId(space)}/`;

/** A link on a page, and what is known of it. */
export interface WrittenLink {
  from: { space: number; page: number };
  written: string;
  /** The space it leads to, where it leads to one by reference or address. */
  space?: number;
  /** What the platform counts as one target: the same for every form of the address. */
  target: string;
  via?: 'reference' | 'app-address' | 'published-address';
  /** Whether it leads nowhere as things stand. */
  broken: boolean;
}

const app = 'https://app.sandbox.example';

/** Every link as it is written, those from what does not exist left out. */
export function writtenLinks(org: LinkedOrganization, orgId: string): WrittenLink[] {
  return org.links.map((link) => {
    const from = link.from.space % org.spaces.length;
    const page = link.from.page % (org.spaces[from]?.pages ?? 1);
    return { from: { space: from, page }, ...targetOf(org, link, from, orgId) };
  });
}

type Target = Omit<WrittenLink, 'from'>;

function targetOf(
  { spaces }: LinkedOrganization,
  { to, kind }: GeneratedLink,
  from: number,
  orgId: string,
): Target {
  const at = (kind === 'own-page' ? from : to.space) % spaces.length;
  const space = spaces[at];
  if (space === undefined) throw new Error('There is no space.');
  const id = spaceId(at);
  const page = to.thing % space.pages;
  const isThere = at === from || (space.state === 'live' && spaces[from]?.state === 'live');
  const reference = (written: string, exists = true): Target => ({
    ...{ written, space: at, target: written.replace(/#.*/, ''), via: 'reference' },
    broken: !isThere || !exists,
  });
  const address = (written: string, via: 'app-address' | 'published-address'): Target => ({
    ...{ written, space: at, target: written, via, broken: false },
  });
  const elsewhere = (written: string, broken = false): Target => ({ written, target: written, broken });
  const toPage = `/spaces/${id}/pages/${pageId(at, page)}`;
  const inApp = `${app}/o/${orgId}/s/${id}`;
  const made: Record<string, () => Target> = {
    page: () => reference(toPage),
    anchor: () => reference(`${toPage}#part-${to.thing}`),
    file: () => reference(`/spaces/${id}/files/${fileId(at, to.thing)}`, to.thing < space.files),
    space: () => reference(`/spaces/${id}`),
    'own-page': () => ({ ...reference(`/pages/${pageId(at, page)}`), target: toPage }),
    'gone-page': () => reference(`/spaces/${id}/pages/none`, false),
    relative: () => elsewhere('/nowhere.md', true),
    'app-space': () => address(inApp, 'app-address'),
    'app-page': () => address(`${inApp}/${pathOf(space, page)}#x`, 'app-address'),
    'app-change': () => address(`${inApp}/~/changes/3/${pathOf(space, page)}`, 'app-address'),
    'app-short': () => address(`${app}/s/${id}?tab=1`, 'app-address'),
    published: () => address(`${publishedUrl(at)}${pathOf(space, page)}`, 'published-address'),
    public: () => address(`${publicUrl(at)}#top`, 'published-address'),
    site: () => elsewhere(siteUrl),
    web: () => elsewhere('https://www.example.com/spaces'),
    mail: () => elsewhere('mailto:docs@example.com'),
  };
  const make = made[kind];
  if (make === undefined) throw new Error(`There is no kind ${kind}.`);
  return make();
}
