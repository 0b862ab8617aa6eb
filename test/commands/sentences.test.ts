import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/declare/tree.js';
import { groups } from '../../src/commands/index.js';
import { run } from '../../src/main.js';
import { fakeIo } from '../fake-io.js';
import { openSandbox, seedId, type TestSandbox } from '../sandbox/client.js';
import { sentenceLines } from './sentence-lines.js';

/**
 * What every changing command says on a terminal after a change (VOICE.md, 7). The sentences are to be read, in
 * test/data/sentences.txt; `npx vitest run -u` writes them again.
 */

let sandbox: TestSandbox;
let home: string;
beforeAll(async () => {
  sandbox = await openSandbox({ seed: 'tiny' });
  home = mkdtempSync(join(tmpdir(), 'docs-sentences-'));
  const schema = { type: 'object', properties: { beta: { type: 'boolean' } }, additionalProperties: false };
  const files = {
    'idp.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    'schema.json': JSON.stringify(schema),
    'spec.yaml': 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n',
    'body.md': '# Review\n\nRead it again, please.\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
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

async function tell(words: readonly string[]): Promise<Told> {
  const env = {
    HOME: home,
    DOCS_BASE_URL: sandbox.url,
    DOCS_TOKEN: sandbox.token,
    DOCS_ORG: seedId('org acme'),
    DOCS_CREDENTIAL_STORE: 'file',
    NO_COLOR: '1',
  };
  const io = fakeIo({
    cwd: home,
    env,
    now: new Date(sandbox.outside.ms).toISOString(),
    terminals: ['stdout', 'stderr'],
    columns: 400,
  });
  const code = await run(words, io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text.replace(progress, '') };
}

/** What a spinner draws and takes back. */
const progress = /\x1b\[\?2026h[^]*?\x1b\[\?2026l|\x1b\[1G|\x1b\[2K/g;

/** With names in place of ids, and what differs from run to run left out. */
function readable(text: string): string {
  const ids = [...named].reduce((all, [id, name]) => all.replaceAll(id, `<${name}>`), text);
  return ids
    .replaceAll(sandbox.url, '<base-url>')
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '<job>')
    .replace(/\b(?=\w*\d)(?=\w*[a-zA-Z])\w{20}\b/g, '<id>');
}

const transcript: string[] = [];

const commands = await commandTree(groups);

describe('after a change', () => {
  it('stands a sentence', async () => {
    for (const typed of sentenceLines) {
      const [line = '', name] = typed.split(' => ');
      const words = wordsOf(line);
      const { code, stdout, stderr } = await tell(words);
      const [, id] = /\((\w{20})\)/g.exec(stdout.split('\n')[0]?.replace(/.* as /, '') ?? '') ?? [];
      if (name !== undefined && id !== undefined) {
        made.set(name, id);
        named.set(id, name);
      }
      const more = code === 0 ? [] : [`exit ${code}`];
      transcript.push([`$ docs ${line}`, stdout, stderr, ...more].filter(Boolean).map((part) => part.trimEnd()).join('\n'));
    }
    const text = `${transcript.map(readable).join('\n\n')}\n`;
    await expect(text).toMatchFileSnapshot('../data/sentences.txt');
  }, 60_000);

  it('of each changing command', () => {
    const lines = sentenceLines.map((line) => `${line} `);
    const silent = commands
      .filter(({ command }) => command.spec !== undefined && command.danger !== 'read')
      .filter(({ path }) => !lines.some((line) => line.startsWith(`${path} `)))
      .map(({ path }) => path);
    expect(silent).toEqual([]);
  });
});
