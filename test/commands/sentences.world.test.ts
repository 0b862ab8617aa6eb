import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { run } from '../../src/main.js';
import { type QuotingPlatform, startQuotingPlatform } from '../canary/quoting-platform.js';
import { operationCases } from '../cli/run/request-cases.js';
import { type FakeIoOptions, fakeIo } from '../fake-io.js';
import { openSandbox, seedId, type TestSandbox } from '../sandbox/client.js';
import { handWrittenLines, sentenceLines } from './sentence-lines.js';

/**
 * What every changing command says on a terminal after a change (VOICE.md, 7). The sentences are to be read, in
 * test/data/sentences.txt; `npx vitest run -u` writes them again.
 */

let sandbox: TestSandbox;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docs-sentences-'));
  sandbox = await openSandbox({ seed: 'tiny', contentFolder: join(home, 'content') });
  const schema = { type: 'object', properties: { beta: { type: 'boolean' } }, additionalProperties: false };
  const files = {
    'idp.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    'schema.json': JSON.stringify(schema),
    'spec.yaml': 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n',
    'content/files.example.com/page.md': '# One page\n\nText.\n',
    'teams.csv': 'title\nOne\nTwo\n',
    'one-team.csv': 'title\nThree\n',
    'body.md': '# Review\n\nRead it again, please.\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
});
afterAll(async () => {
  await sandbox.close();
  rmSync(home, { recursive: true, force: true });
});

/** Ids of what the lines made, by name, and back. */
const made = new Map<string, string>();
const named = new Map<string, string>();

function idOf(name: string): string {
  const id = made.get(name) ?? seedId(name);
  named.set(id, name);
  return id;
}

/** Words of a line; the ids in place of their names. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|\{[^}]*\}|[^\s"{}])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll('"', '').replace(/\{([^}]+)\}/g, (_, name: string) => idOf(name)),
  );
}

interface Told {
  code: number;
  stdout: string;
  stderr: string;
}

/** Each line is a second later, so that the last job is the last. */
let lines = 0;

async function tell(
  words: readonly string[],
  { terminals = ['stdout', 'stderr'], env: more }: Pick<FakeIoOptions, 'terminals' | 'env'> = {},
): Promise<Told> {
  const env = {
    HOME: home,
    DOCS_BASE_URL: sandbox.url,
    DOCS_TOKEN: sandbox.token,
    DOCS_ORG: seedId('org acme'),
    DOCS_CREDENTIAL_STORE: 'file',
    NO_COLOR: '1',
    ...more,
  };
  const io = fakeIo({
    cwd: home,
    env,
    now: new Date(Date.parse('2026-01-05T09:00:00Z') + 1000 * lines++).toISOString(),
    terminals,
    columns: 400,
  });
  const code = await run(words, io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text.replace(progress, '') };
}

/** What a spinner draws and takes back. */
const progress = /\x1b\[\?2026h[\s\S]*?\x1b\[\?2026l|\x1b\[1G|\x1b\[2K/g;

/** With names in place of ids, and what differs from run to run left out. */
function readable(text: string): string {
  for (const name of ['org acme', 'org labs', 'user ada', 'space guide', 'team writers']) idOf(name);
  const ids = [...named].reduce((all, [id, name]) => all.replaceAll(id, `<${name}>`), text);
  return (
    ids
      .replaceAll(sandbox.url, '<base-url>')
      .replaceAll(home, '~')
      // As wide as the path below it was.
      .replace(/^(STATUS +PATH) +VERSION$/gm, '$1  VERSION')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '<job>')
      .replace(/\b[A-Za-z0-9]{20}\b/g, '<id>')
  );
}

const transcript: string[] = [];

const commands = await commandTree(groups);
const operationsOfAll = await operationCases();

describe('after a change', () => {
  it('stands a sentence', async () => {
    for (const typed of [...sentenceLines, ...handWrittenLines]) {
      const [line = '', name] = typed.split(' => ');
      const words = wordsOf(line);
      const { code, stdout, stderr } = await tell(words);
      const [, id] = /\((\w{20})\)/g.exec(stdout.split('\n')[0]?.replace(/.* as /, '') ?? '') ?? [];
      if (name !== undefined && id !== undefined) {
        made.set(name, id);
        named.set(id, name);
      }
      const more = code === 0 ? [] : [`exit ${code}`];
      transcript.push(
        [`$ docs ${line}`, stdout, stderr, ...more]
          .filter(Boolean)
          .map((part) => part.trimEnd())
          .join('\n'),
      );
    }
    const text = `${transcript.map(readable).join('\n\n')}\n`;
    await expect(text).toMatchFileSnapshot('../data/sentences.txt');
  });

  it('of each changing command', () => {
    const lines = sentenceLines.map((line) => `${line} `);
    const silent = commands
      .filter(({ command }) => command.spec !== undefined && command.danger !== 'read')
      .filter(({ path }) => !lines.some((line) => line.startsWith(`${path} `)))
      .map(({ path }) => path);
    expect(silent).toEqual([]);
  });
});

/** Any answer of the declared shape, so that a command that is added later is held to the rule, too. */
describe('on a terminal, whatever the platform answers', () => {
  let platform: QuotingPlatform;
  beforeAll(async () => {
    platform = await startQuotingPlatform();
    platform.mode = 'silent';
  });
  afterAll(() => platform.close());

  const changes = operationsOfAll
    .filter(({ op }) => op.method !== 'GET')
    .map((one, at) => ({ ...one, isFourth: at % 4 === 0 }));
  // Texts would be titles if somebody read standard error.
  const at = () => ({
    env: { DOCS_BASE_URL: platform.url, DOCS_JOURNAL: 'off' },
    terminals: ['stdout'] as const,
  });

  it.each(changes)('$name', async ({ words, isFourth }) => {
    const said = await tell(words, at());
    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).not.toMatch(/undefined|NaN|\[object/);
    const isMany = /^ID\s+STATUS/.test(said.stdout);
    expect(isMany ? said.stderr : said.stdout).toMatch(/^✓ [A-Z]\S* .+$/m);
    // How a sentence is left out is the same for all.
    if (!isFourth) return;
    const quiet = await tell([...words, '--quiet'], at());
    if (!isMany) expect(quiet.stdout).toBe('');
    const shown = await tell([...words, '--show'], at());
    if (!isMany) expect(shown.stdout.trim().split('\n').length).toBeGreaterThan(1);
    expect(shown.stdout).not.toContain('✓');
    // Any format shows the record.
    expect((await tell([...words, '-o', 'table'], at())).stdout).toBe(shown.stdout);
    expect((await tell([...words, '--json'], at())).stdout).toMatch(/^[{[]/);
  });
});
