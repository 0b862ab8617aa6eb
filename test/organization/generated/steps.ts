import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Plan, PlanOperation } from '../../../src/plans/plan.js';
import type { Edit } from './edit.js';
import { editFiles } from './edits/index.js';
import { snapshot } from './files.js';
import type { Organization } from './model.js';
import { orgId, type Tables } from './rows.js';
import { stateOf } from './state.js';
import type { Ran, World } from './world.js';

/** What a session does with the files, each step held to what all sessions keep. */

export const folderOf = (world: World, name = 'org'): string => join(world.folder, name);

/** `docs pull`. Gives the files as they are afterwards. */
export async function pull(world: World, name = 'org'): Promise<Map<string, string>> {
  await reading(world, ['pull', '--dir', name]);
  return snapshot(folderOf(world, name));
}

/** Loads an organization, pulls it and edits its files. @returns what the edits are expected to lead to */
export async function pullAndEdit(
  world: World,
  org: Organization,
  edits: readonly Edit[],
): Promise<ReturnType<typeof editFiles>> {
  world.load(stateOf(org));
  await pull(world);
  return editFiles(folderOf(world), edits);
}

/** `docs plan`, saved and read. */
export async function plan(world: World, flags: readonly string[] = [], name = 'org'): Promise<Plan> {
  const file = join(world.folder, 'plan.json');
  rmSync(file, { force: true });
  await reading(world, ['plan', '--dir', name, '--save-plan', file, ...flags]);
  return JSON.parse(readFileSync(file, 'utf8')) as Plan;
}

/** Runs a command that changes nothing: only GET is sent. */
export async function reading(world: World, words: readonly string[], codes: readonly number[] = [0]) {
  world.sent();
  const stdout = await world.ok(words, codes);
  expect(world.sent().filter((sent) => !sent.startsWith('GET '))).toEqual([]);
  return stdout;
}

/** `docs apply` of the files. */
export function apply(world: World, flags: readonly string[] = []): Promise<Ran> {
  return world.docs(['apply', '--dir', 'org', '--yes', '--json', ...flags]);
}

/** Whether everything was made that can be: what is left are findings, and what is withheld. */
export const isDone = ({ code, stderr }: Pick<Ran, 'stderr'> & { code: number | null }): boolean =>
  code === 0 || (code === 3 && stderr.includes('"code":"left_over"'));

/** Expects that. @param left whether something is left */
export function expectDone(
  ran: Pick<Ran, 'stdout' | 'stderr'> & { code: number | null },
  left = false,
): void {
  const said = isDone(ran) ? '' : `${ran.code} ${ran.stderr}${ran.stdout}`;
  expect({ done: isDone(ran), left: ran.code !== 0, said }).toEqual({ done: true, left, said: '' });
}

export const addressOf = ({ kind, key }: PlanOperation): string => `${kind}/${key}`;

/** Addresses of operations with these actions, each once, sorted. */
export function addresses({ operations }: Plan, ...actions: PlanOperation['action'][]): string[] {
  const found = operations.filter(({ action }) => actions.includes(action)).map(addressOf);
  return [...new Set(found)].sort();
}

/** What a plan would send, as lines that a failure can be read from. */
export function changes({ operations }: Plan): string[] {
  const sending = operations.filter(({ action }) => action !== 'finding' && action !== 'withheld');
  return sending.map((one) => `${one.action} ${addressOf(one)} ${JSON.stringify(one.fields)}`);
}

/** The rows of other organizations, which nothing may touch. */
export function elsewhere(state: string): Tables {
  const { tables } = JSON.parse(state) as { tables: Tables };
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows.filter((row) => typeof row.org_id === 'string' && row.org_id !== orgId),
    ]),
  );
}

/** The files without the lock. */
export function withoutLock(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].filter(([file]) => file !== 'docs.lock.json'));
}
