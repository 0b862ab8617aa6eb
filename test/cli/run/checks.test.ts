import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installWay } from '../../../src/cli/run/checks.js';

describe('how docs was installed', () => {
  let root = '';

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'install-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function file(path: string, text = ''): string {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  /** A package of docs in a folder. @returns its program */
  function program(folder: string): string {
    file(`${folder}/package.json`, '{}');
    file(`${folder}/bin/package.json`, '{ "type": "commonjs" }');
    return file(`${folder}/bin/docs.js`);
  }

  test('a clone, started by its path, and by a link', () => {
    const script = program('src/docs');
    mkdirSync(join(root, 'src/docs/.git'));
    expect(installWay(script)).toBe(`clone in ${root}/src/docs`);
    mkdirSync(join(root, 'bin'));
    symlinkSync(script, join(root, 'bin/docs'));
    expect(installWay(join(root, 'bin/docs'))).toBe(
      `clone in ${root}/src/docs, linked from ${root}/bin/docs`,
    );
  });

  test('files that are not a clone', () => {
    expect(installWay(program('unpacked'))).toBe(`files in ${root}/unpacked`);
  });

  test('npm install --global', () => {
    const script = program('usr/lib/node_modules/@docs-cli/docs');
    mkdirSync(join(root, 'usr/bin'));
    symlinkSync(script, join(root, 'usr/bin/docs'));
    const said = `installed globally by npm, in ${root}/usr/lib/node_modules/@docs-cli/docs`;
    expect(installWay(join(root, 'usr/bin/docs'))).toBe(said);
  });

  test.each([
    ['bun', '.bun/install/global/node_modules/@docs-cli/docs'],
    ['pnpm', 'share/pnpm/global/5/.pnpm/@docs-cli+docs@0.1.0/node_modules/@docs-cli/docs'],
    ['yarn', '.config/yarn/global/node_modules/@docs-cli/docs'],
  ])('a global installation by %s', (manager, folder) => {
    expect(installWay(program(folder))).toBe(`installed globally by ${manager}, in ${root}/${folder}`);
  });

  test('npx', () => {
    const folder = '.npm/_npx/1a2b/node_modules/@docs-cli/docs';
    expect(installWay(program(folder))).toBe(`run by npx, in ${root}/${folder}`);
  });

  test('a dependency of a project, by npm and by pnpm', () => {
    file('app/package.json', '{}');
    expect(installWay(program('app/node_modules/@docs-cli/docs'))).toBe(`dependency of ${root}/app`);
    const folder = 'app/node_modules/.pnpm/@docs-cli+docs@0.1.0/node_modules/@docs-cli/docs';
    expect(installWay(program(folder))).toBe(`dependency of ${root}/app`);
  });

  test('a dependency of a project whose folder is called lib', () => {
    file('lib/package.json', '{}');
    expect(installWay(program('lib/node_modules/@docs-cli/docs'))).toBe(`dependency of ${root}/lib`);
  });

  test('a program that is gone is named as it was started', () => {
    expect(installWay('/nowhere/docs')).toMatch(/^started as \/nowhere\/docs$|^files in \//);
  });
});
