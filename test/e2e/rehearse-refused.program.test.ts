import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rehearseHomeOfFile } from './rehearse-home.js';

/** What a rehearsal keeps from the platform and from this machine. */

const home = rehearseHomeOfFile();
const script = (text: string) => home.script('try.sh', text);

test('nothing in it reaches another platform than the copy', async () => {
  const lines: [string, number][] = [
    ['docs --base-url "$REAL" members list', 2],
    ['docs --sandbox members list', 2],
    ['DOCS_BASE_URL=$REAL docs members list', 14],
    ['DOCS_TOKEN=secret docs members list', 14],
    ['DOCS_REHEARSAL=/none docs members list', 14],
    ['docs rehearse -- members list', 2],
  ];
  script(lines.map(([line]) => `${line} --json; echo $?`).join('\n'));
  home.env.REAL = home.env.DOCS_BASE_URL ?? '';
  const ran = await home.rehearse('--script', 'try.sh');
  expect(ran.stdout.trim().split('\n')).toEqual(lines.map(([, code]) => String(code)));
  expect(ran.stderr.match(/outside_rehearsal/g)).toHaveLength(4);
  expect(ran.stderr).toContain('"rehearsal_gone"');
  expect(ran.stderr).toContain('docs rehearse cannot run in a rehearsal');
  expect(home.report().reads).toHaveLength((await home.sent()).length);
  expect(await home.changes()).toEqual([]);
});

test('nothing in it changes files of docs on this machine', async () => {
  const lines = [
    'config set page-size 3',
    'auth logout',
    'jobs prune --days 0',
    'skill install --yes',
    'pull --dir o',
  ];
  script(lines.map((line) => `docs ${line} --json; echo $?`).join('\n'));
  const ran = await home.rehearse('--quiet', '--script', 'try.sh');
  expect(ran.stdout.trim().split('\n')).toEqual(lines.map(() => '2'));
  expect(ran.stderr.match(/not_in_rehearsal/g)).toHaveLength(lines.length);
});

test('the lock of the organization as code stays as it is, in the rehearsal it is as applied', async () => {
  await home.ok(['pull', '--dir', 'org']);
  const teams = join(home.path, 'org', 'teams.yaml');
  const text = readFileSync(teams, 'utf8');
  writeFileSync(teams, text.replace(/title: (.*)/, 'title: $1 renamed'));
  const lock = () => readFileSync(join(home.path, 'org', 'docs.lock.json'), 'utf8');
  const before = lock();
  script('docs apply --dir org --yes --quiet && docs plan --dir org --exit-code --quiet; echo $?');
  const ran = await home.rehearse('--quiet', '--script', 'try.sh');
  expect({ out: ran.stdout.trim().split('\n').at(-1), err: ran.stderr }).toEqual({ out: '0', err: '' });
  expect(home.report().requests.length).toBeGreaterThan(0);
  expect(lock()).toBe(before);
  expect((await home.run(['plan', '--dir', 'org', '--exit-code'])).code).toBe(17);
});
