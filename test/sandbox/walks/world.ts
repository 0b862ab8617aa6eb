import {
  type Contents,
  commit,
  publishRevision,
  revisionOf,
} from '../../../src/sandbox/content/revisions.js';
import { type Writing, writeFiles, writePages } from '../../../src/sandbox/content/sample-pages.js';
import { spaceById } from '../../../src/sandbox/records/in-path.js';
import { found } from '../../../src/sandbox/refusal.js';
import type { Random } from '../../../src/sandbox/seeds/seeding.js';

import { idFrom } from '../../../src/sandbox/store/rows.js';
import { seedId } from '../client.js';
import { openPlatform } from '../in-process.js';

/** A sandbox whose lists change while they are read; the same random numbers make the same changes. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(random: Random) {
  const sandbox = await openPlatform();
  let last = 0;
  /** A number that no earlier call returned. */
  const number = () => ++last;
  /** The member that the token of an administrator acts as. */
  const userId = sandbox.user('admin');
  /** Replaces the content of Welcome, or of its open change request. */
  const rewrite = async (
    where: 'space' | 'request',
    edit: (writing: Writing, old: Contents) => Contents,
  ): Promise<void> =>
    sandbox.beside((db) => {
      const space = found(spaceById(db, seedId('space welcome')), 'space', 'welcome');
      const sql = "SELECT id, revision_id FROM change_requests WHERE space_id = ? AND status = 'open'";
      const request = found(db.get<{ id: string; revision_id: string }>(sql, space.id), 'request', 'open');
      const at = 1000 * number();
      const clock = { now: () => at };
      const writing = { db, spaceId: space.id, at, idOf: (path: string) => idFrom(`walked ${path}`) };
      const base = where === 'space' ? space.revision_id : request.revision_id;
      const contents = edit(writing, revisionOf(db, space, base));
      const caller = { userId, email: '', role: 'admin', level: 'admin' } as const;
      const change = { db, space, caller, clock, newId: () => idFrom(`revision ${at}`) };
      const revision = commit(change, contents, [base], 'Walk', where === 'space' ? null : request.id);
      if (where === 'space') publishRevision(db, revision);
      else db.run('UPDATE change_requests SET revision_id = ? WHERE id = ?', revision.id, request.id);
    });
  return { ...sandbox, random, number, userId, rewrite };
}

/** One of several, or undefined where there is none. */
export function anyOf<T>({ random }: World, items: readonly T[]): T | undefined {
  return items[random.below(Math.max(items.length, 1))];
}

/** Adds a page with a word, a link and a file, or removes one of the pages and files at the top. */
export function editContent(world: World, { pages, files, reusables }: Contents, writing: Writing): Contents {
  const { random, number } = world;
  if (pages.length > 6 && random.below(2) === 0) {
    const target = random.below(2) === 0 ? pages : files;
    const gone = anyOf(world, target.slice(target === files ? 1 : 0))?.id;
    return {
      pages: pages.filter(({ id }) => id !== gone),
      files: files.filter(({ id }) => id !== gone),
      reusables,
    };
  }
  const name = `${random.pick(['b', 'm', 'y'])}${number()}`;
  const logo = files[0]?.id ?? '';
  const markdown = `A walk by [one](https://${name}.example/), with ![the logo](/files/${logo}).`;
  return {
    pages: [...pages, ...writePages(writing, [{ title: `Page ${name}`, markdown }])],
    files: [...files, ...writeFiles(writing, [{ path: `${name}.txt`, bytes: Buffer.from(name) }])],
    reusables,
  };
}

/** Gives the first page other links: some of ten. */
export function editLinks({ random }: World, old: Contents, writing: Writing): Contents {
  const [first] = old.pages;
  const links = Array.from({ length: 10 }, (_, index) => `[x](https://site${index}.example/)`);
  const markdown = links.filter(() => random.below(3) > 0).join(' ');
  const idOf = () => first?.id ?? '';
  const [page] = writePages({ ...writing, idOf }, [{ title: 'Welcome', slug: 'welcome', markdown }]);
  return { ...old, pages: [...(page === undefined ? [] : [page]), ...old.pages.slice(1)] };
}

/** A list to walk, and how something is added to it or removed from it. */
export interface Walked {
  path: Record<string, string>;
  query?: Record<string, unknown>;
  change(): unknown;
}

export type Lists = Readonly<Record<string, (world: World) => Walked | Promise<Walked>>>;

/** Adds one or removes one, at random. */
export const either = (world: World, add: () => unknown, remove: () => unknown) => () =>
  world.random.below(2) === 0 ? add() : remove();
