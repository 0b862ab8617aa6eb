import type { Client } from '../client.js';
import { openPlatform, type Platform } from '../in-process.js';
import * as ops from '../operations.js';

/** A sandbox with the tiny seed, seen from its space Welcome with five comments. */
export interface CommentWorld extends Platform {
  spaceId: string;
  /** The user of a token. */
  user(name: string): string;
  /** Lets time pass. */
  pass(ms: number): void;
  list(query?: object): ReturnType<typeof listIn>;
  /** The comments of the third change request, which is open. */
  listOnRequest(query?: object): ReturnType<typeof listOnRequestIn>;
  /** Posts on the space as the holder of that token. */
  post(markdown: string, as?: string): ReturnType<typeof postIn>;
  /** The space's own count of open comments. */
  count(): Promise<number>;
}

const listIn = (client: Client, spaceId: string, query: object) =>
  client.all(ops.listComments, { path: { spaceId }, query });
const listOnRequestIn = (client: Client, spaceId: string, query: object) =>
  client.all(ops.listChangeRequestComments, { path: { spaceId, changeRequestId: '3' }, query });
const postIn = (client: Client, spaceId: string, markdown: string) =>
  client.ok(ops.createComment, { path: { spaceId }, body: { body: { markdown } } });

export async function openCommentWorld(): Promise<CommentWorld> {
  const sandbox = await openPlatform();
  const { admin } = sandbox;
  const spaceId = sandbox.defaults.space ?? '';
  const pass = (ms: number) => {
    sandbox.outside.ms += ms;
  };
  return {
    ...sandbox,
    spaceId,
    user: (name) => sandbox.user(name),
    pass,
    list: (query = {}) => listIn(admin, spaceId, query),
    listOnRequest: (query = {}) => listOnRequestIn(admin, spaceId, query),
    post: (markdown, as = 'admin') => postIn(sandbox.as(as), spaceId, markdown),
    count: async () => (await admin.ok(ops.getSpace, { path: { spaceId } })).comments,
  };
}

/** The texts, in their order. */
export const texts = (items: readonly { body: { markdown?: string } }[]) =>
  items.map(({ body }) => body.markdown);
