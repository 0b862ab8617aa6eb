import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { networkFailure } from '../../../src/api/transport/failure.js';
import { withLock } from '../../../src/base/lock.js';
import { helpLook } from '../../../src/cli/help/layout.js';
import { previews } from '../../../src/cli/help/previews.js';
import { topicText } from '../../../src/cli/help/topics.js';
import { groups } from '../../../src/commands/index.js';
import { limitations } from '../../../src/model/cannot.js';
import { fakeIo } from '../../fake-io.js';
import { code, holdSection } from './derived.js';

/** What the guide shows without running it: errors that no example can cause, tables of declarations, pictures. */

const page = (path: string): string => readFileSync(path, 'utf8');

it('the expired certificate is the error of the transport', () => {
  const facts = {
    method: 'GET',
    path: '/v1/orgs',
    resource: '/v1/orgs',
    origin: 'https://api.example.com',
    loopback: false,
    effect: 'read',
  } as const;
  const expired = Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' });
  const { message } = networkFailure(expired, false, facts);
  expect(page('docs/guide/troubleshooting.md')).toContain(`error: ${message} (network, exit 11)`);
});

it('the lock is the error of a process that waits for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-lock-'));
  const path = join(folder, 'config.json.lock');
  mkdirSync(path);
  // No time passes: the lock never becomes stale.
  const io = { ...fakeIo(), sleep: () => Promise.resolve() };
  try {
    const waiting = withLock(
      io,
      path,
      async () => 'done',
      () => new Error('cannot be made'),
    );
    const [, shown = ''] =
      /^error: (.*lock.*) \(local-io, exit 13\)$/m.exec(page('docs/guide/troubleshooting.md')) ?? [];
    await expect(waiting).rejects.toThrow(shown.replace('~/.config/docs', folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the old names of commands are those of the groups', () => {
  const rows = groups.flatMap(({ ways = {} }) =>
    Object.entries(ways).map(([old, path]) => `| ${code(`docs ${old}`)} | ${code(`docs ${path}`)} |`),
  );
  const lines = ['', '| Old name, or another one | Today |', '|---|---|', ...rows, '', ''];
  holdSection('docs/guide/upgrading.md', 'src/commands/index.ts', lines.join('\n'));
});

it('docs help previews has all of the table of the guide', () => {
  const help = topicText('previews', helpLook(undefined)).replaceAll('`', '').replaceAll(/\s+/g, ' ');
  const guide = page('docs/guide/previews.md');
  expect(guide).toContain('<!-- made: previews -->');
  for (const { brief: _, ...preview } of previews)
    for (const text of Object.values(preview)) {
      expect(help).toContain(text);
      expect(guide).toContain(text);
    }
});

const words = (path: string): string[] =>
  [...page(path).matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));

it('the limitations of the API in the guide are those that docs find knows', () => {
  const rows = limitations.map(({ cannot, instead }) => `| ${cannot} | ${instead} |`);
  const lines = page('docs/guide/limits.md').split('\n');
  expect(lines).toContain('<!-- made: limits -->');
  expect(lines.filter((line) => line.startsWith('| ')).slice(2)).toEqual(rows);
});

it('the glossaries of users and contributors have no word in common', () => {
  const ofUsers = words('docs/guide/glossary.md').filter((word) => word !== 'Word');
  expect(new Set(ofUsers).size).toBe(ofUsers.length);
  expect(ofUsers).toEqual(
    expect.arrayContaining(['stale', 'merge', 'review', 'restore', 'status', 'version', 'admin', 'member']),
  );
  expect(ofUsers.filter((word) => words('docs/contributing/glossary.md').includes(word))).toEqual([]);
});

it('each picture that a page shows exists, each file is shown, and none is over 200 KB', () => {
  const pages = [
    'README.md',
    ...readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).map((name) =>
      join('docs/guide', name),
    ),
  ].filter((path) => path.endsWith('.md'));
  const shown = pages.flatMap((path) =>
    [...page(path).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, target = '']) => join(path, '..', target)),
  );
  const files = readdirSync('docs/pictures').map((name) => `docs/pictures/${name}`);
  expect([...new Set(shown)].sort()).toEqual(files.sort());
  expect(files.filter((path) => statSync(path).size > 200_000)).toEqual([]);
});
