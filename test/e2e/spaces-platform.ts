import { type Answer, type StubPlatform, stubPlatform } from './stub-platform.js';

/** A platform with one organization, a collection and a few spaces, by title. */

export interface SpacesPlatform extends StubPlatform {
  /** Requests that change something. */
  changes(): string[];
}

const space = (id: string, title: string) => ({
  object: 'space',
  id,
  title,
  visibility: 'public',
  organization: 'o1',
  changeRequestsOpen: 2,
  comments: 0,
});

/** Titles by id: two are the same, and one is meant for the terminal. */
export const titles: Readonly<Record<string, string>> = {
  s1: 'Guide',
  s2: 'Handbook',
  s3: 'Notes',
  s4: 'Notes',
  s5: 'Red\x1b[31m alert',
  s6: 'Two words',
};

/** @param also answers what is asked beside spaces; it comes first */
export async function spacesPlatform(also: Answer = () => undefined): Promise<SpacesPlatform> {
  const items = Object.entries(titles).map(([id, title]) => space(id, title));
  const list = (all: unknown[]) => ({ body: { items: all, next: {}, count: all.length } });
  const stub = await stubPlatform((method, url) => {
    const given = also(method, url);
    if (given !== undefined) return given;
    if (method !== 'GET') return { status: 204 };
    const { pathname: path } = url;
    if (path === '/v1/orgs') return list([{ object: 'organization', id: 'o1', title: 'Acme' }]);
    if (path === '/v1/orgs/o1/collections') return list([{ object: 'collection', id: 'c1', title: 'All' }]);
    if (path === '/v1/collections/c1/spaces') return list(items);
    if (path === '/v1/orgs/o1/sites') return list([]);
    if (/^\/v1\/spaces\/\w+\/change-requests$/.test(path)) return list([]);
    const found = items.find(({ id }) => path === `/v1/spaces/${id}`);
    return found && { body: found };
  });
  return { ...stub, changes: () => stub.requests.filter((request) => !request.startsWith('GET ')) };
}
