import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { canonical } from './canonical.js';
import { describedFiles, describedState } from './described.js';
import type { Edit } from './edit.js';
import { editFiles } from './edits/index.js';
import { replaceAll, snapshot } from './files.js';
import type { Organization } from './model.js';
import { stateOf } from './state.js';
import {
  addresses,
  apply,
  changes,
  elsewhere,
  expectDone,
  folderOf,
  isDone,
  plan,
  pull,
  pullAndEdit,
  reading,
  withoutLock,
} from './steps.js';
import type { World } from './world.js';

/** What must hold for every organization and every edit (PLANS.md, "Must hold"). */

/** Pull, then plan: nothing to do. Pull again, and into another folder: the same bytes. */
export async function pullIsWhole(world: World, org: Organization): Promise<void> {
  world.load(stateOf(org));
  const before = world.state();
  const files = await pull(world);
  expect(describedFiles(folderOf(world))).toEqual(describedState(before));
  expect((await plan(world)).operations).toEqual([]);
  expect(await pull(world)).toEqual(files);
  expect(await pull(world, 'again/org')).toEqual(files);
  await reading(world, ['drift', '--dir', 'org']);
  expect(world.state()).toBe(before);
}

/** Without the lock everything is found again, or said to be ambiguous; nothing is made twice. */
export async function lockIsNoNeed(world: World, org: Organization): Promise<void> {
  world.load(stateOf(org));
  await pull(world);
  rmSync(join(folderOf(world), 'docs.lock.json'));
  expect(changes(await plan(world))).toEqual([]);
}

/** Edits are planned, applied, and then there is nothing left but what the platform cannot do. */
export async function editsArrive(world: World, org: Organization, edits: readonly Edit[]): Promise<void> {
  const expected = await pullAndEdit(world, org, edits);
  const edited = withoutLock(snapshot(folderOf(world)));
  const others = elsewhere(world.state());
  const findings = [...expected.findings].sort();

  const made = await plan(world, ['--prune']);
  expect(addresses(made, 'finding')).toEqual(findings);
  if (!expected.removes) expect(addresses(made, 'delete')).toHaveLength(expected.anew.size);
  expect(addresses(made, 'withheld')).toEqual([]);
  expectDone(await apply(world, ['--prune']), findings.length > 0);

  const left = await plan(world);
  expect(changes(left)).toEqual([]);
  expect(addresses(left, 'finding')).toEqual(findings);
  expect(withoutLock(await pull(world))).toEqual(edited);
  expect(elsewhere(world.state())).toEqual(others);
}

/** What was removed stays until `--prune` is given; everything else goes on. */
export async function nothingIsRemovedUnasked(
  world: World,
  org: Organization,
  edits: readonly Edit[],
): Promise<void> {
  const { anew } = await pullAndEdit(world, org, edits);
  const made = await plan(world);
  const withheld = addresses(made, 'withheld');
  const deletions = addresses(made, 'delete');
  expect(deletions.filter((address) => !address.startsWith('site-spaces/'))).toEqual([]);
  expect(deletions).toHaveLength(anew.size);
  world.sent();
  expect(isDone(await apply(world))).toBe(true);
  const removed = world.sent().filter((sent) => /^DELETE \/v1\/(?!.*\/sections\/)/.test(sent));
  // Those that are added again.
  expect(removed.filter((sent) => !sent.includes('/site-spaces/'))).toEqual([]);
  expect(removed).toHaveLength(made.operations.filter(({ action }) => action === 'delete').length);
  const left = await plan(world);
  expect(changes(left)).toEqual([]);
  expect(addresses(left, 'withheld')).toEqual(withheld);
}

/** A lock that nobody committed after the apply: what it does not know is found again, and nothing is made twice. */
export async function oldLockIsHarmless(
  world: World,
  org: Organization,
  edits: readonly Edit[],
): Promise<void> {
  world.load(stateOf(org));
  await pull(world);
  const lock = snapshot(folderOf(world)).get('docs.lock.json') ?? '';
  const { findings } = editFiles(folderOf(world), edits);
  expectDone(await apply(world, ['--prune']), findings.size > 0);
  writeFileSync(join(folderOf(world), 'docs.lock.json'), lock);
  expect(changes(await plan(world, ['--prune']))).toEqual([]);
}

/** One request in twenty fails, in each of these ways; applied and resumed, the platform comes out as without that. */
export async function faultsLeaveNoTrace(
  world: World,
  org: Organization,
  edits: readonly Edit[],
  faults: readonly Parameters<World['addFault']>[0][],
): Promise<void> {
  const before = stateOf(org);
  world.load(before);
  await pull(world);
  const { findings } = editFiles(folderOf(world), edits);
  const edited = snapshot(folderOf(world));
  expectDone(await apply(world, ['--prune']), findings.size > 0);
  const whole = canonical(world.state(), before);
  const lock = lockedItems(world, before);

  for (const fault of faults) {
    world.load(before);
    replaceAll(folderOf(world), edited);
    world.addFault(fault);
    let ran = await apply(world, ['--prune']);
    for (let round = 0; round < 8 && !isDone(ran); round += 1) {
      if (round === 5) world.clearFaults();
      const resumed = await world.docs(['jobs', 'resume', 'last', '--json']);
      // Where no job was made, reading failed: the whole command is run again.
      ran = /unknown_job/.test(resumed.stderr) ? await apply(world, ['--prune']) : resumed;
    }
    world.clearFaults();
    const said = isDone(ran) ? '' : ran.stderr;
    expect({ fault, done: isDone(ran), said }).toEqual({ fault, done: true, said: '' });
    expect(canonical(world.state(), before), JSON.stringify(fault)).toEqual(whole);
    expect(lockedItems(world, before)).toEqual(lock);
    expect(changes(await plan(world))).toEqual([]);
  }
}

/**
 * The items of the lock: what was applied, and the id where it was there before. Ids of what was made differ from
 * run to run, so of them it says whether the platform has them.
 */
export function lockedItems(world: World, before: string): Record<string, unknown> {
  const lock = snapshot(folderOf(world)).get('docs.lock.json') ?? '{"items":{}}';
  const { items } = JSON.parse(lock) as { items: Record<string, { id: string; applied: unknown }> };
  const now = world.state();
  const named = (id: string) => {
    const text = JSON.stringify(id);
    return before.includes(text) ? id : now.includes(text) ? 'made' : 'nowhere';
  };
  return Object.fromEntries(
    Object.entries(items).map(([address, { id, applied }]) => [address, { id: named(id), applied }]),
  );
}

/** An apply of exact operations, undone: the files and the lock of before have nothing to plan. */
export async function undoGoesBack(
  world: World,
  org: Organization,
  edits: readonly Edit[],
): Promise<boolean> {
  world.load(stateOf(org));
  await pull(world);
  const before = snapshot(folderOf(world));
  editFiles(folderOf(world), edits);
  const { operations } = await plan(world);
  const sending = operations.filter(({ request }) => request !== undefined);
  if (sending.length === 0 || sending.some(({ undo }) => undo !== 'exact')) return false;
  expectDone(
    await apply(world),
    operations.some(({ action }) => action === 'finding'),
  );
  expectDone(await world.docs(['undo', 'last', '--yes', '--json']));
  replaceAll(folderOf(world), before);
  expect(changes(await plan(world))).toEqual([]);
  return true;
}
