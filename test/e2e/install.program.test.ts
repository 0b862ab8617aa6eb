import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from './program.js';
import { isInstalled } from './shell.js';

/** `npm link` in a clone puts docs on the PATH, and its man pages where man looks. Nothing is fetched. */

const own = JSON.parse(readFileSync('package.json', 'utf8')) as { man: string[] } & Record<string, unknown>;
/** Later ones link no man pages (README). */
const links = Number(execFileSync('npm', ['--version'], { encoding: 'utf8' }).split('.')[0]) < 12;

let root: string;
let env: Record<string, string>;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-install-'));
  const [clone, prefix] = [join(root, 'clone'), join(root, 'prefix')];
  for (const folder of [clone, prefix, join(root, 'home')]) mkdirSync(folder);
  for (const name of ['bin', 'docs/man', 'docs/guide']) cpSync(name, join(clone, name), { recursive: true });
  cpSync(join(dirname(program), '..', 'dist'), join(clone, 'dist'), { recursive: true });
  // The packages that it needs are not fetched; --version needs none.
  const none = { dependencies: undefined, optionalDependencies: undefined, devDependencies: undefined };
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ ...own, ...none }));
  const path = `${join(prefix, 'bin')}:${process.env.PATH ?? ''}`;
  env = { HOME: join(root, 'home'), PATH: path, NPM_CONFIG_PREFIX: prefix };
  const quiet = ['--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['link', ...quiet], { cwd: clone, env, stdio: 'pipe' });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('npm link', () => {
  it('puts docs on the PATH', () => {
    const ran = spawnSync('docs', ['--version'], { cwd: root, env, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: `${String(own.version)}\n` });
  });

  it('lets docs find the pages of the guide', () => {
    const ran = spawnSync('docs', ['help', 'offboarding'], { cwd: root, env, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: readFileSync('docs/guide/offboarding.md', 'utf8') });
  });

  it.skipIf(!links)('links every man page', () => {
    const linked = readdirSync(join(root, 'prefix', 'share', 'man', 'man1'));
    expect(linked.sort()).toEqual(readdirSync('docs/man').sort());
  });

  it.skipIf(!links || !isInstalled('man'))('makes man find the page of docs, and that of a group', () => {
    for (const name of ['docs', 'docs-spaces']) {
      const { status, stdout } = spawnSync('man', ['-w', name], { env, encoding: 'utf8' });
      expect({ status, page: stdout.trim().split('/').at(-1) }).toEqual({ status: 0, page: `${name}.1` });
    }
  });
});

describe('the package', () => {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  const offline = ['--json', '--ignore-scripts', '--offline'];
  let packed: string[];
  beforeAll(() => {
    const words = ['pack', '--dry-run', ...offline];
    const [found] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', stdio })) as {
      files: { path: string }[];
    }[];
    packed = (found?.files ?? []).map(({ path }) => path);
  });

  it('contains what bin and man name', () => {
    expect(packed).toEqual(expect.arrayContaining(['bin/docs.js', ...own.man]));
  });

  it('contains the guide, and every file that its pages link to', () => {
    const pages = readdirSync('docs/guide').filter((name) => name.endsWith('.md'));
    const linked = pages.flatMap((page) => {
      const text = readFileSync(join('docs/guide', page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
      const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
      return links.map((target) => normalize(join('docs/guide', target)));
    });
    expect(linked).toContain('SECURITY.md');
    const wanted = new Set([...pages.map((page) => `docs/guide/${page}`), ...linked]);
    expect([...wanted].filter((path) => !packed.includes(path))).toEqual([]);
  });

  it('shows the pages once it is unpacked', () => {
    const stdout = execFileSync('npm', ['pack', ...offline, '--pack-destination', root], {
      ...{ cwd: join(root, 'clone'), env, encoding: 'utf8', stdio },
    });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    execFileSync('tar', ['-xzf', filename], { cwd: root });
    const line = [join(root, 'package', 'bin', 'docs.js'), 'help', 'guide', 'backup'];
    const ran = spawnSync(process.execPath, line, { cwd: root, env, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: readFileSync('docs/guide/backup.md', 'utf8') });
  });
});
