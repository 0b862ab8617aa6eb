import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';

/** What help says is taken by title is found by it, written in any case; one of several is refused with their ids. */

const { home, sandbox } = await sandboxHome();
const { site } = sandbox;
const backup = join(home.path, 'backup');

/** Arguments and flags by what their help says; numbers and emails have tests of their own. */
const taken = (await commandTree(groups)).flatMap(({ path, command }) => {
  const { args, options } = command as Command;
  return [...args, ...options]
    .filter(({ description }) => /\bid or (title|label)\b|\bid, title\b|^Title or id\b/.test(description))
    .map(({ name }) => `${path} ${name}`);
});

/** A command for each with a title in its place, and the title in the words of one who types. */
const typed: Readonly<Record<string, (title: string) => string[]>> = {
  'access who space': (title) => ['access', 'who', title, '--by-title'],
  'backup search space': (title) => ['backup', 'search', backup, 'page', '--space', title],
  'backup pack space': (title) => ['backup', 'pack', backup, '--space', title, '--out', 'packs', '--yes'],
  'backup restore space': (title) => ['backup', 'restore', backup, '--space', title, '--dry-run'],
  'sandbox publish site': (title) => ['sandbox', 'publish', title],
  'sites release cut from': (title) => [
    ...['sites', 'release', 'cut', '9.9', '--site', site, '--from', title, '--dry-run'],
  ],
  'spaces trash restore space': (title) => ['spaces', 'trash', 'restore', title, '--by-title'],
  'sso link provider': (title) => ['sso', 'link', 'farah@acme.example', '--provider', title, '--dry-run'],
  'sso readiness provider': (title) => ['sso', 'readiness', '--provider', title],
};
const titleOf = (place: string) => {
  if (place.startsWith('sso')) return 'Acme Staff';
  if (place.startsWith('sandbox')) return 'Acme Docs';
  return place.startsWith('spaces trash') ? 'Board Notes' : 'API Reference';
};
const askew = (title: string) => ` ${title.toUpperCase().replace(' ', '  ')}`;

beforeAll(async () => {
  await home.ok(['backup', 'run', '--out', backup, '--quiet']);
  await home.ok(['spaces', 'delete', seedId('space board'), '--yes']);
});

it('every place is tried', () => {
  expect([...new Set(taken)].sort()).toEqual(Object.keys(typed).sort());
});

describe.each(Object.entries(typed))('%s', (place, words) => {
  it.each(['as it is written', 'in another case and spacing'])('takes a title %s', async (how) => {
    const title = titleOf(place);
    const { code, stderr } = await home.run(words(how.startsWith('as') ? title : askew(title)), {
      env: place.startsWith('sandbox') ? { DOCS_BASE_URL: '' } : {},
    });
    expect({ code, stderr: [2, 6].includes(code ?? 1) ? stderr : '' }).toEqual({
      code: expect.toSatisfy((ended) => [0, 3, 17].includes(ended)),
      stderr: '',
    });
    if (place.startsWith('spaces trash')) await home.ok(['spaces', 'delete', seedId('space board'), '--yes']);
  });
});

describe('a title that several have', () => {
  const twins = [seedId('space api'), seedId('space handbook')];

  beforeAll(async () => {
    await home.ok(['spaces', 'update', twins[1] ?? '', '--title', 'API  reference']);
    await home.ok(['backup', 'run', '--out', backup, '--quiet']);
    const { entityID, ssoURL } = {
      entityID: 'https://id.acme.example/other',
      ssoURL: 'https://id.acme.example/o',
    };
    await home.ok(['saml', 'create', '--label', 'ACME staff', '--entity-id', entityID, '--sso-url', ssoURL]);
  });

  it.each(['access who space', 'backup search space', 'backup pack space', 'backup restore space'])(
    '%s is refused with the ids',
    async (place) => {
      const { code, stderr } = await home.run(typed[place]?.('api reference') ?? []);
      expect({ code, missing: twins.filter((id) => !stderr.includes(id)) }).toEqual({ code: 2, missing: [] });
    },
  );

  it.each(['sso link provider', 'sso readiness provider'])('%s is refused with the ids', async (place) => {
    const { code, stderr } = await home.run(typed[place]?.('acme STAFF') ?? []);
    expect(code).toBe(2);
    expect(stderr).toMatch(/2 SAML providers are called "acme STAFF": \w{20}, \w{20}/);
  });
});
