import fc from 'fast-check';
import { expect } from 'vitest';
import { organization } from '../organization/generated/arbitrary.js';
import { canonical } from '../organization/generated/canonical.js';
import { edit, editFiles } from '../organization/generated/edits/index.js';
import { replaceAll, snapshot } from '../organization/generated/files.js';
import { lockedItems } from '../organization/generated/properties.js';
import { stateOf } from '../organization/generated/state.js';
import { changes, folderOf, isDone, plan, pull } from '../organization/generated/steps.js';
import type { World } from '../organization/generated/world.js';
import { type Begun, begin as beginRun } from './job-home.js';

/** Sessions of the organization as code that others go on with. */

/** `docs` in the home and the folder of a world; in the program layer a process of its own. */
export const startIn = (world: World, words: readonly string[]): Begun =>
  beginRun(words, { ...world.env, PATH: process.env.PATH ?? '' }, world.folder);

/** A session just before its apply: the state of the platform, and every file of its folder. */
export interface Session {
  before: string;
  files: ReadonlyMap<string, string>;
}

export const apply = ['apply', 'plan.json', '--dir', 'org', '--yes', '--json'];

/** A large organization with many edits, planned and saved as plan.json. */
export async function session(world: World, seed: number, edits: number): Promise<Session> {
  const drawn = fc.sample(organization, { numRuns: 150, seed }).map(stateOf);
  const [before = ''] = drawn.sort((a, b) => b.length - a.length);
  world.load(before);
  await pull(world);
  editFiles(folderOf(world), fc.sample(edit, { numRuns: edits, seed }));
  await plan(world, ['--prune']);
  return { before, files: snapshot(world.folder) };
}

/** Begins it anew, in another home. */
export function begin(world: World, { before, files }: Session): void {
  world.load(before);
  replaceAll(world.folder, files);
}

/** What a session came to, but for what the platform makes of specs, which takes it time: they count by their slugs. */
export function endOf(world: World, { before }: Session): unknown {
  const { openapi_runs: _, openapi_specs: specs = [], ...tables } = canonical(world.state(), before);
  const known = specs.map((row) => JSON.stringify({ ...JSON.parse(row), id: undefined, error: undefined }));
  return { ...tables, openapi_specs: known.sort() };
}

/** Runs an apply, killed at that request; the platform still answers every other one of those it was killed at. */
async function applyKilledAt(world: World, request: number): Promise<boolean> {
  world.sent();
  const running = startIn(world, apply);
  world.onRequest = (_sent, count) => {
    if (count !== request) return;
    running.kill('SIGKILL');
    if (request % 2 === 1) throw new Error('The platform never saw this one.');
  };
  const { signal } = await running.ended;
  world.onRequest = () => {};
  return signal === 'SIGKILL';
}

/** Resumes what was begun; where no job was made yet, applies the plan. */
async function finish(world: World): Promise<void> {
  const resumed = await startIn(world, ['jobs', 'resume', 'last', '--json']).ended;
  if (isDone(resumed)) return;
  const done = resumed.stderr.includes('unknown_job') ? await startIn(world, apply).ended : resumed;
  expect({ done: isDone(done), said: isDone(done) ? '' : done.stderr }).toEqual({ done: true, said: '' });
}

/**
 * Kills an apply at one request after the other, resumes it, and expects the platform and the lock as without that.
 * @param every 1 for each of the first 60 requests, 6 for every sixth
 */
export async function killAtRequests(world: World, every: number): Promise<void> {
  const begun = await session(world, 11, 160);
  world.sent();
  const applied = await world.docs(apply);
  expect({ done: isDone(applied), said: isDone(applied) ? '' : applied.stderr }).toEqual({
    done: true,
    said: '',
  });
  expect(world.sent().length).toBeGreaterThan(60);
  const [whole, lock] = [endOf(world, begun), lockedItems(world, begun.before)];
  for (let request = 1; request <= 60; request += every) {
    begin(world, begun);
    expect({ request, killed: await applyKilledAt(world, request) }).toEqual({ request, killed: true });
    await finish(world);
    expect({ request, state: endOf(world, begun) }).toEqual({ request, state: whole });
    expect({ request, lock: lockedItems(world, begun.before) }).toEqual({ request, lock });
  }
  expect(changes(await plan(world, ['--prune']))).toEqual([]);
}
