import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { freshHome } from './program.js';
import { type Answer, type StubPlatform, stubPlatform } from './stub-platform.js';

/** A platform with one space and one change request, whose content a test gives. */

export interface StubPage {
  id: string;
  title?: string;
  path?: string;
  text?: string;
  documentId?: string;
  pages?: readonly StubPage[];
  [more: string]: unknown;
}

export interface StubContent {
  before: readonly StubPage[];
  after: readonly StubPage[];
  files?: { before: readonly unknown[]; after: readonly unknown[] };
  /** Of the change request. */
  request?: Readonly<Record<string, unknown>>;
  comments?: readonly unknown[];
  replies?: readonly unknown[];
}

const at = '2026-01-05T09:00:00.000Z';
const user = (displayName: string) => ({ object: 'user', id: displayName, displayName, urls: {} });

export const space = {
  ...{ object: 'space', id: 's1', title: 'Handbook', emoji: '', visibility: 'public', revision: 'r1' },
  ...{ createdAt: at, updatedAt: at, organization: 'o1', defaultLevel: null, comments: 0 },
  ...{ changeRequests: 1, changeRequestsOpen: 1, changeRequestsDraft: 0 },
};

/** @param also answers what a test has of its own; it comes first */
export async function changePlatform(
  content: StubContent,
  also: Answer = () => undefined,
): Promise<StubPlatform> {
  const { request, comments = [], replies = [], files } = content;
  const changeRequest = {
    ...{ object: 'change-request', id: 'c5', number: 5, status: 'open', subject: 'New words' },
    ...{ createdBy: user('Ada'), createdAt: at, updatedAt: at, revision: 'r2', revisionInitial: 'r1' },
    ...{ comments: comments.length, outdated: false, ...request },
  };
  const [before, after] = [flat(content.before), flat(content.after)];
  const ofRequest = '/v1/spaces/s1/change-requests/5';
  const list = (items: readonly unknown[]) => ({ body: { items, next: {}, count: items.length } });
  return stubPlatform((method, url) => {
    const { pathname: path } = url;
    const given = also(method, url);
    if (given !== undefined) return given;
    if (path === '/v1/spaces/s1') return { body: space };
    if (path === ofRequest) return { body: changeRequest };
    if (path === '/v1/spaces/s1/content') return { body: revision('r1', content.before, files?.before) };
    if (path === `${ofRequest}/content`) return { body: revision('r2', content.after, files?.after) };
    if (path === `${ofRequest}/comments`) return list(comments);
    if (path.endsWith('/replies')) return list(replies);
    const [, side, id = ''] = /^(.*)\/content\/page\/([^/]+)$/.exec(path) ?? [];
    const page = (side === ofRequest ? after : before).get(decodeURIComponent(id));
    return page && { body: { ...listed(page), pages: [], markdown: page.text ?? '' } };
  });
}

function revision(id: string, pages: readonly StubPage[], files: readonly unknown[] = []): unknown {
  return {
    ...{ object: 'revision', id, parents: [], pages: pages.map(listed), files, createdAt: at },
    ...{ urls: {}, type: 'edits' },
  };
}

/** A page as lists have it: with the id of its text, not the text. */
function listed({ text = '', pages = [], ...page }: StubPage): StubPage {
  const { id, title = id, path = id } = page;
  return { documentId: text, type: 'document', ...page, title, path, pages: pages.map(listed) };
}

function flat(pages: readonly StubPage[]): Map<string, StubPage> {
  return new Map(pages.flatMap((page) => [[page.id, page] as const, ...flat(page.pages ?? [])]));
}

/** A page edited, one added, one removed, one moved. */
export const small: StubContent = {
  before: [
    { id: 'intro', title: 'Intro', text: 'Run the old setup.\n' },
    { id: 'gone', title: 'Gone', text: 'Two words.\n' },
    { id: 'same', title: 'Same', text: 'As it was.\n' },
  ],
  after: [
    { id: 'intro', title: 'Intro', text: 'Run the new setup.\n' },
    {
      id: 'fresh',
      title: 'Fresh',
      text: 'Three new words.\n',
      pages: [{ id: 'same', title: 'Same', text: 'As it was.\n' }],
    },
  ],
};

const postedAt = '2026-01-05T09:00:00.000Z';
const permissions = { view: true, edit: true, reply: true, delete: true };
const comment = (id: string, by: string, markdown: string, more: object) => ({
  ...{ object: 'comment', id, postedBy: user(by), postedAt, reactions: [], replies: 0, body: { markdown } },
  ...{ target: { page: { id: 'intro' } }, status: 'open', urls: {}, permissions, ...more },
});

/** The same with three threads: one with control characters and an answer, one resolved, one on no page. */
export const discussed: StubContent = {
  ...small,
  comments: [
    comment('k1', 'Bob \x1b[31m', 'Why new?\n\x1b]0;x\x07', { replies: 1 }),
    comment('k2', 'Cyd', 'Settled.', { replies: 3, status: 'resolved' }),
    comment('k3', 'Dee', 'All in all fine.', { target: {} }),
  ],
  replies: [
    {
      ...{ object: 'comment-reply', id: 'y1', postedBy: user('Ada'), postedAt: '2026-01-05T09:30:00.000Z' },
      ...{ reactions: [], body: { markdown: 'It is faster.' }, urls: {}, permissions },
    },
  ],
};

/** A home for the tests of a file, whose platform each starts. */
export function homeOfChanges() {
  const home = freshHome({ DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1', DOCS_SPACE: 's1' });
  let platform: StubPlatform | undefined;
  afterEach(() => platform?.close());
  afterAll(() => home.remove());
  return Object.assign(home, {
    async startPlatform(...content: Parameters<typeof changePlatform>) {
      await platform?.close();
      platform = await changePlatform(...content);
      home.env.DOCS_BASE_URL = platform.url;
    },
    sent: () => platform?.requests ?? [],
    bodies: () => platform?.bodies ?? [],
    pageReads: () => (platform?.requests ?? []).filter((request) => request.includes('/content/page/')),
    /** A program for a pager or an editor. */
    script(name: string, body: string): string {
      const path = join(home.path, name);
      writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      return path;
    },
  });
}
