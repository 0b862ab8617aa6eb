import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../runs.js';
import { docsFile, docsFirst } from '../started.js';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** What sorting the longest list that is sorted takes of memory. `DOCS_TEST_RUNS=2` makes it 200,000 members. */

const members = Math.min(200_000, 100_000 * runs(1));
const mostMegabytes = 150 + (250 * members) / 200_000;

let home: Home;
let platform: StubPlatform;

/** Seven letters, in an order of their own. */
const shuffled = (number: number) =>
  (Math.imul(number + 1, 2_654_435_761) >>> 0)
    .toString(26)
    .padStart(7, '0')
    .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');

function member(number: number) {
  const [id, name] = [`usr${String(number).padStart(10, '0')}`, shuffled(number)];
  const user = {
    object: 'user',
    id,
    displayName: `Person ${name} of the Department`,
    email: `${name}.person@department-${number % 50}.example.org`,
    photoURL: `https://files.example.org/photos/${id}.png`,
    urls: { location: `https://api.example.org/v1/users/${id}` },
  };
  return {
    object: 'member',
    id,
    role: 'read',
    user,
    sso: false,
    joinedAt: '2025-01-01T00:00:00.000Z',
    spaces: 3,
  };
}

beforeAll(async () => {
  platform = await stubPlatform((_, { searchParams }) => {
    const start = Number(searchParams.get('page') ?? 0);
    const end = Math.min(start + Number(searchParams.get('limit')), members);
    const items = Array.from({ length: end - start }, (_item, index) => member(start + index));
    return { body: { items, count: members, ...(end < members && { next: { page: String(end) } }) } };
  });
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
});
afterAll(async () => {
  home.remove();
  await platform.close();
});

/** Runs the program with its output in a file. @returns that file, and the most memory that was in use, in megabytes */
async function measured(...words: string[]) {
  const [preload, peak, file] = ['peak.mjs', 'peak', 'output'].map((name) => join(home.path, name)) as [
    string,
    string,
    string,
  ];
  const told = `writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS))`;
  writeFileSync(preload, `import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => ${told});\n`);
  const env = { ...home.env, NODE_OPTIONS: `--import ${preload}` };
  const output = openSync(file, 'w');
  const child = spawn(docsFile, [...docsFirst, ...words], { env, stdio: ['ignore', output, 'inherit'] });
  const [code] = await once(child, 'exit');
  closeSync(output);
  expect(code).toBe(0);
  return { file, megabytes: Number(readFileSync(peak, 'utf8')) / 1024 };
}

test.each(['tsv', 'json', 'table'])(
  '%s',
  async (format) => {
    const { file, megabytes } = await measured('members', 'list', '--sort-by', 'email', '-o', format);
    const emails = readFileSync(file)
      .toString('latin1')
      .matchAll(/\b([a-z]{7})\.person@/g);
    let [count, last] = [0, ''];
    for (const [, email = ''] of emails) {
      if (email < last) throw new Error(`${email} comes after ${last}`);
      [count, last] = [count + 1, email];
    }
    expect(count).toBe(members);
    expect(megabytes).toBeLessThan(mostMegabytes);
  },
  600_000,
);
