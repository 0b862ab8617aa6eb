import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Folder } from '../../../src/backup/folder.js';
import { readManifest } from '../../../src/backup/manifest.js';
import { verifyVersions } from '../../../src/backup/verify-versions.js';
import { filesIn } from '../../e2e/backup-home.js';
import {
  Killed,
  type Organization,
  readBack,
  recordsIn,
  smallRun,
  type TemporaryFolder,
  textsOf,
} from './small-run.js';

/** Runs that are killed, and random runs: some of them in each build, all of them in killed.many.test.ts. */

export const keep = { runs: 30 };

export const first: Organization = {
  a: { name: 'Welcome', files: { 'faq.md': 'faq', 'big.md': 'x'.repeat(50_000), 'old.md': 'old' } },
  b: { name: 'Guide', files: { 'a.md': 'a' } },
  c: { name: 'Gone', files: { 'gone.md': 'gone' } },
};
export const second: Organization = {
  a: { name: 'Guide', files: { 'faq.md': 'faq 2', 'big.md': 'x'.repeat(50_000) } },
  b: { name: 'Hello', files: { 'a.md': 'a' } },
  d: { name: 'Gone', files: { 'new.md': 'new' } },
};

/** Numbers in 0…1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Another organization: pages written, changed, moved, removed; spaces made, renamed, swapped, removed. */
function changed(organization: Organization, next: () => number): Organization {
  const now = structuredClone(organization);
  const one = <T>(of: readonly T[]): T | undefined => of[Math.floor(next() * of.length)];
  for (let changes = Math.floor(next() * 4); changes > 0; changes -= 1) {
    const space = now[one(Object.keys(now)) ?? ''];
    const path = one(Object.keys(space?.files ?? {}));
    const what = Math.floor(next() * 7);
    const free = (name: string) => Object.values(now).every((other) => other.name !== name);
    if (what === 0) now[`s${Math.floor(next() * 5)}`] ??= { name: `New ${next()}`, files: { 'a.md': 'a' } };
    else if (space === undefined) continue;
    else if (what === 1) space.files[`${one(['a', 'b', 'sub/c'])}.md`] = `text ${Math.floor(next() * 4)}`;
    else if (what === 2 && path !== undefined) delete space.files[path];
    else if (what === 3 && path !== undefined) {
      space.files[`moved-${path.replaceAll('/', '-')}`] = space.files[path] ?? '';
      delete space.files[path];
    } else if (what === 4) {
      const name = `Name ${Math.floor(next() * 4)}`;
      if (free(name)) space.name = name;
    } else if (what === 5) {
      const other = now[one(Object.keys(now)) ?? ''];
      if (other !== undefined) [space.name, other.name] = [other.name, space.name];
    } else if (what === 6) delete now[one(Object.keys(now)) ?? ''];
  }
  return now;
}

/** What a verification finds of earlier runs. */
export async function damage(root: string): Promise<unknown[]> {
  const folder = new Folder(root);
  const read = await readManifest(folder);
  const found: unknown[] = [];
  if (read === undefined) return found;
  const signers = { allowed: undefined, nowMs: 0 };
  for await (const one of verifyVersions(folder, read.manifest, signers)) found.push(one);
  return found;
}

/** Expects that exactly these runs are kept, and that each reads back as it was. */
async function expectKept(root: string, runs: ReadonlyMap<number, Organization>): Promise<void> {
  for (const [run, organization] of runs)
    expect([run, await readBack(root, String(run))]).toEqual([run, textsOf(organization)]);
  expect(await damage(root)).toEqual([]);
}

/** Random changes, runs, values of --keep and kills: every run that is kept reads back as it was. */
export async function expectRandomRunsKept(root: string, seed: number): Promise<void> {
  const next = random(seed + 1);
  let organization: Organization = { s0: { name: 'Welcome', files: { 'a.md': 'a', 'sub/c.md': 'c' } } };
  let known = new Map<number, Organization>();
  let most = 0;
  let last = 0;
  for (let turn = 0; turn < 8; turn += 1) {
    organization = changed(organization, next);
    const asked = next() < 0.3 ? Math.floor(next() * 4) : undefined;
    const steps = next() < 0.3 ? Math.floor(next() * 60) : 1e9;
    const how = asked === undefined ? {} : { keep: asked === 0 ? ('none' as const) : { runs: asked } };
    const took = await smallRun(root, organization, { ...how, steps }).catch((cause: unknown) => {
      if (!(cause instanceof Killed)) throw cause;
    });
    // What a run that was killed was asked to keep holds from when it noted that.
    most = took === undefined ? Math.max(most, asked ?? 0) : (asked ?? most);
    const listed = recordsIn0(root);
    if (took !== undefined) expect(listed.length).toBeLessThanOrEqual(most);
    const read = await readManifest(new Folder(root));
    const run = (read?.manifest.runs ?? -1) + 1;
    const isNew = run !== last;
    last = run;
    if (read?.manifest.state === 'whole' && isNew) known.set(run, organization);
    known = new Map([...known].filter(([number]) => number === run || listed.includes(number)));
    const expected = new Map(known);
    if (!isNew) expected.delete(run);
    await expectKept(root, expected);
    expect(listed.filter((number) => !known.has(number))).toEqual([]);
  }
}

/** Numbers of the earlier runs that are kept; none where nothing is. */
export function recordsIn0(root: string): number[] {
  return existsSync(join(root, 'versions', 'runs')) ? recordsIn(root) : [];
}

/**
 * Runs that are killed at a step on the disk: the earlier runs are whole, and the next run makes all whole.
 * @param only which of the steps are tried
 */
export async function expectWholeAfterKills(
  place: TemporaryFolder,
  only: (at: number, steps: number) => boolean,
): Promise<void> {
  await smallRun(place.root, first, { keep });
  const third = { ...first, b: { name: 'Third', files: { 'a.md': 'third' } } };
  await smallRun(place.root, third);
  const before = place.copy();
  const steps = await smallRun(place.root, second);
  for (let at = 0; at < steps; at += 1) {
    if (!only(at, steps)) continue;
    const at1 = `${place.root}-${at}`;
    renameSync(copied(before), at1);
    await expect(smallRun(at1, second, { steps: at })).rejects.toThrow(Killed);
    expect([at, await readBack(at1, '1')]).toEqual([at, textsOf(first)]);
    if (recordsIn(at1).includes(2)) expect([at, await readBack(at1, '2')]).toEqual([at, textsOf(third)]);
    else expect([at, await readBack(at1, 'latest')]).toEqual([at, textsOf(third)]);
    expect([at, await damage(at1)]).toEqual([at, []]);
    await smallRun(at1, second);
    expect([at, await readBack(at1, '2')]).toEqual([at, textsOf(third)]);
    expect([at, await readBack(at1, 'latest')]).toEqual([at, textsOf(second)]);
    expect([at, [...filesIn(at1).keys()].filter((path) => path.endsWith('.tmp'))]).toEqual([at, []]);
  }
}

/** A copy whose bytes are its own. */
export function copied(from: string): string {
  const to = `${from}-again`;
  mkdirSync(to);
  // A hard link would share bytes with the folder that a run changes.
  for (const [path] of filesIn(from)) {
    mkdirSync(join(to, path, '..'), { recursive: true });
    writeFileSync(join(to, path), readFileSync(join(from, path)));
  }
  return to;
}
