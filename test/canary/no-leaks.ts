import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { run } from '../../src/main.js';
import { operationCases } from '../cli/run/request-cases.js';
import { fakeIo } from '../fake-io.js';
import type { SomeOf } from '../some-of.js';
import { handWritten } from './hand-written.js';
import { canary, filesIn, leaksIn, signaturesIn } from './leaks.js';
import { type Mode, type QuotingPlatform, startQuotingPlatform } from './quoting-platform.js';

/**
 * A platform that quotes the headers of each request: in errors, in every object of an answer, in headers and in
 * the bytes of files. The token is in no output of any command, and in no file that it writes.
 * @param pick which commands are tried
 */
export async function holdNoLeaks(pick: SomeOf): Promise<void> {
  let platform: QuotingPlatform;
  let home: string;
  beforeAll(async () => {
    platform = await startQuotingPlatform();
    home = mkdtempSync(join(tmpdir(), 'docs-canary-'));
    mkdirSync(join(home, 'evidence'));
    const files = {
      'tree.txt': 'Guides  [section]\n  Welcome  [space x1]\n',
      'spec.yaml': 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n',
      'teams.csv': 'title\nOne\nTwo\n',
      'gone.csv': 'team\ngone-1\ngone-2\n',
      'review.csv': 'user.id,decision\n',
      'matrix.csv': 'person.id,space.id,role\nu1,s1,read\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  });
  afterAll(async () => {
    await platform.close();
    rmSync(home, { recursive: true, force: true });
  });

  async function outputs(
    mode: Mode,
    words: readonly string[],
    stdin?: string,
  ): Promise<Record<string, string>> {
    platform.mode = mode;
    const { defaults } = platform.sandbox;
    const env = {
      HOME: home,
      DOCS_BASE_URL: platform.url,
      DOCS_TOKEN: canary,
      DOCS_ORG: defaults.org,
      DOCS_SPACE: defaults.space,
      DOCS_CREDENTIAL_STORE: 'file',
      DOCS_DEBUG: 'body',
    };
    const io = fakeIo({
      cwd: home,
      env,
      now: new Date().toISOString(),
      ...(stdin !== undefined && { stdin }),
    });
    const code = await run(words, io);
    // 1 is a bug.
    expect({ words, code: code === 1 ? io.stderr.text : 'as it may be' }).toMatchObject({
      code: 'as it may be',
    });
    return { stdout: io.stdout.text, stderr: io.stderr.text };
  }

  function expectNoLeak(shown: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(shown))
      expect(leaksIn(text), `the canary on ${name}`).toEqual([]);
  }

  function expectNoLeakInFiles(): void {
    const leaky = [...filesIn(home)].filter(({ path, text }) => {
      if (path.endsWith('credentials.json')) return false;
      return leaksIn(text).length > 0;
    });
    expect(leaky.map(({ path, text }) => ({ path, leaks: leaksIn(text) }))).toEqual([]);
  }

  const commands = await commandTree(groups);
  /** What decides how an answer becomes output. */
  const kindOf = ({ op, command }: { op: AnyOperation; command: Command }) =>
    [op.method, op.returns.kind, command.danger, command.spec?.listIn, command.spec?.pages].join();
  const ofOperations = pick(await operationCases(), kindOf);

  it('finds a canary that is there', () => {
    expect(leaksIn(`x${canary}`)).not.toEqual([]);
    expect(leaksIn(Buffer.from(`Bearer ${canary}`).toString('base64url'))).not.toEqual([]);
    expect(leaksIn('nothing')).toEqual([]);
  });

  describe('a command of an operation, refused', () => {
    it.each(ofOperations)('$name', async ({ words }) => {
      const shown = await outputs('refuse', words);
      expect(shown.stderr).toContain('[redacted]');
      expectNoLeak(shown);
      expect(signaturesIn(Object.values(shown).join())).toEqual([]);
      expectNoLeak(await outputs('refuse', [...words, '--json']));
    });
  });

  describe('a command of an operation, answered', () => {
    it.each(ofOperations)('$name', async ({ words }) => {
      expectNoLeak(await outputs('sample', [...words, '--json']));
      expectNoLeak(await outputs('sample', [...words, '--header', '-o', 'csv']));
    });
  });

  describe('a hand-written command', () => {
    const paths = commands.filter(({ command }) => command.spec === undefined).map(({ path }) => path);
    it('is missing nowhere', () => {
      expect(Object.keys(handWritten).sort()).toEqual(paths.sort());
    });

    const lines = Object.entries(handWritten).flatMap(([path, some]) =>
      some.map((words) => ({ name: words.join(' '), path, words })),
    );
    const writing =
      /--(save-plan|update-baseline|as-change-request|apply)\b|sarif|^undo .*yes|evidence .*json/;
    const kinds = {
      refuse: ({ path }: { path: string }) => path,
      // The later tests look at what they wrote.
      sandbox: ({ path, name }: { path: string; name: string }) => (writing.test(name) ? name : path),
    };
    const stdins: Readonly<Record<string, string>> = { auth: `${canary}\n`, mcp: '' };
    for (const mode of ['sandbox', 'refuse'] as const) {
      it.each(pick(lines, kinds[mode]))(`$name, where the platform is: ${mode}`, async ({ words }) => {
        const shown = await outputs(mode, words, stdins[words[0] ?? '']);
        expectNoLeak(shown);
        expect(Object.values(shown).join()).not.toContain('canary-key-of-a-header');
        // Debug output and errors, but not what was asked for: a plan shows its requests whole.
        const told = (shown.stderr ?? '').replaceAll(/^ {6}(?:POST|PUT|PATCH|DELETE)\b.*(?:\n {6}.*)*/gm, '');
        expect(signaturesIn(told)).toEqual([]);
      });
    }

    it('that fills the completion in the background', async () => {
      const name = 'a'.repeat(32);
      expectNoLeak(await outputs('sandbox', ['__complete-ids', name, 'team'], '{}'));
    });
  });

  describe('a file', () => {
    it('of any kind has it nowhere, and there are files of each kind', () => {
      expectNoLeakInFiles();
      const paths = [...filesIn(home)].map(({ path }) => path.slice(home.length + 1));
      for (const kind of [
        /^\.local\/state\/docs\/jobs\/.*\.jsonl$/,
        /^\.cache\/docs\/completion\/a+\.json$/,
        /^\.config\/docs\/config\.json$/,
        /^evidence\/.*\.csv$/,
        /^evidence\/.*\.json$/,
        /^backup\/manifest\.json$/,
        /^backup\/.*\.md$/,
        /^backup\/.*files\//,
        /^links\.sarif$/,
        /^baseline\.json$/,
      ])
        expect(
          paths.filter((path) => kind.test(path)),
          String(kind),
        ).not.toEqual([]);
    });

    it('that tells of answers has no signatures either', () => {
      const telling = /errors?|evidence\/|links\./;
      const signed = [...filesIn(home)].filter(
        ({ path, text }) => telling.test(path) && signaturesIn(text).length > 0,
      );
      expect(signed.map(({ path }) => path)).toEqual([]);
      for (const { path, text } of filesIn(home)) {
        if (!path.endsWith('.jsonl')) continue;
        const errors = text.split('\n').filter((line) => line.includes('"error":'));
        expect(signaturesIn(errors.join('\n')), path).toEqual([]);
      }
    });
  });
}
