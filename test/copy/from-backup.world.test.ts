import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTeam } from '../../src/api/resources/teams.js';
import { openReader } from '../../src/backup/reader.js';
import { fillFromBackup } from '../../src/copy/fill.js';
import { openCopy } from '../../src/copy/open.js';
import { listTokens } from '../../src/sandbox/server/tokens.js';
import { exportState } from '../../src/sandbox/store/export.js';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { fakeIo } from '../fake-io.js';
import { openRounds, type Rounds, Side } from './rounds.js';

/** Filling a sandbox from a backup: all of it or nothing, and what it says. */

let rounds: Rounds;
let path: string;
// Nothing changes the first sandbox. Each test has a copy of its backup, and a second sandbox of its own.
beforeAll(async () => {
  rounds = await openRounds();
  await fillFrom(rounds.first.db, 'tiny', { now: Date.now });
  await rounds.first.backUp(rounds.at('made'));
});
afterAll(() => rounds.close());
beforeEach(async () => {
  path = rounds.at('a');
  cpSync(rounds.at('made'), path, { recursive: true });
  rounds.second = await Side.open();
});
afterEach(async () => {
  await rounds.second.close();
  for (const name of ['a', 'b', 'c', 'partial', 'again'])
    rmSync(rounds.at(name), { recursive: true, force: true });
});

const change = (file: string, from: string | RegExp, to: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));

describe('nothing is changed', () => {
  let before: string;
  beforeEach(async () => {
    await fillFrom(rounds.second.db, 'tiny', { now: Date.now });
    before = exportState(rounds.second.db);
  });
  afterEach(() => expect(exportState(rounds.second.db)).toBe(before));

  test.each([
    'org.json',
    'spaces/Welcome/pages/faq.md',
    'spaces/Welcome/files/logo.png',
    'spaces/Welcome/comments.json',
  ])('if %s is not what its manifest says, or is missing', async (name) => {
    appendFileSync(`${path}/${name}`, ' ');
    await expect(rounds.second.copy(path)).rejects.toMatchObject({
      exitCode: 14,
      code: 'changed_in_backup',
      message: `${name} in ${path} differs from its manifest; nothing was changed`,
      failure: { hint: `docs backup verify ${path} --offline` },
    });
    rmSync(`${path}/${name}`);
    await expect(rounds.second.copy(path)).rejects.toMatchObject({
      exitCode: 13,
      code: 'missing_in_backup',
      failure: { hint: `docs backup verify ${path} --offline` },
    });
  });

  test('if someone changed the manifest of a space, too', async () => {
    change(`${path}/spaces/Welcome/manifest.json`, '"state": "whole"', '"state":  "whole"');
    await expect(rounds.second.copy(path)).rejects.toMatchObject({ code: 'changed_in_backup' });
  });

  test('if the last run did not finish', async () => {
    change(`${path}/manifest.json`, '"state": "whole"', '"state": "unfinished"');
    await expect(rounds.second.copy(path)).rejects.toMatchObject({ exitCode: 14, code: 'unfinished_backup' });
  });

  test('if it is stopped half-way', async () => {
    const controller = new AbortController();
    const progress = (done: number) => {
      if (done === 3) controller.abort(new Error('stopped'));
    };
    const filling = fillFromBackup(rounds.second.db, await openReader(path), {
      ...{ now: Date.now, signal: controller.signal, progress },
    });
    await expect(filling).rejects.toThrow('stopped');
  });
});

test('a new id of a copy, and of its copy, is no id that is there', async () => {
  const { second } = rounds;
  const ids = new Set<string>();
  for (const name of ['a', 'b', 'c']) {
    await second.copy(rounds.at(name));
    const client = second.client();
    const { id } = await client.call(createTeam, {
      path: { organizationId: second.organizationId },
      body: { title: `Team ${name}` },
    });
    await client.close();
    ids.add(id);
    if (name !== 'c') await second.backUp(rounds.at(name === 'a' ? 'b' : 'c'));
  }
  expect(ids.size).toBe(3);
});

test('the clock of a copy shows the real time, or the latest time in it', async () => {
  const { second } = rounds;
  await second.copy(path);
  expect(Math.abs(second.store.clock.now() - Date.now())).toBeLessThan(60_000);
  const past = Date.parse('2020-01-01T00:00:00Z');
  const options = { now: () => past, signal: new AbortController().signal };
  await fillFromBackup(second.db, await openReader(path), options);
  const ahead = second.store.clock.now() - (Date.now() - past);
  expect(ahead).toBeGreaterThan(Date.parse('2025-12-01T00:00:00Z'));
});

test('there is a token for each role of the organization', async () => {
  const { first, second } = rounds;
  await second.copy(path);
  const names = (db: typeof first.db) => listTokens(db).map(({ name, member }) => [name, member]);
  const others = names(first.db).filter(([name]) => name !== 'other-org');
  expect(names(second.db)).toEqual(others);
});

test('a backup by a token that may not read much fills what is there, and says what is missing', async () => {
  const { first, second } = rounds;
  const reader = listTokens(first.db).find(({ name }) => name === 'read')?.token;
  await first.backUp(rounds.at('partial'), { token: reader });
  const { gaps } = await second.copy(rounds.at('partial'));
  expect(gaps).not.toEqual([]);
  await second.backUp(rounds.at('again'));
  expect(gaps.every((gap) => /^Not in the backup: .*(?:[^.]|\. Nor were [^.]*\.)$/.test(gap))).toBe(true);
});

test('a running copy names what differs from the platform after the changes that it took, and only then', async () => {
  const io = { ...fakeIo(), now: Date.now };
  const copy = await openCopy({ source: { backup: await openReader(path) }, file: ':memory:', io });
  try {
    const ask = async (method: string, at: string) => {
      const answer = await fetch(`${copy.url}/v1${at}`, {
        ...{ method, headers: { authorization: `Bearer ${copy.token}` } },
      });
      return {
        status: answer.status,
        body: (await answer.json().catch(() => ({}))) as { items?: { id: string }[] },
      };
    };
    const before = copy.gaps();
    const list = `/orgs/${copy.organization.id}/teams`;
    const { body } = await ask('GET', list);
    expect((await ask('DELETE', `${list}/none`)).status).toBe(404);
    expect(copy.gaps()).toEqual(before);
    expect((await ask('DELETE', `${list}/${body.items?.[0]?.id}`)).status).toBeLessThan(300);
    expect(copy.gaps()).toEqual([...before, expect.stringContaining('Access through teams stays as it was')]);
  } finally {
    await copy.close();
  }
});
