import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The check of imports finds what it is for: it runs over sources made here. */

function check(files: Readonly<Record<string, string>>): { code: number | null; faults: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'docs-imports-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { status, stderr } = spawnSync(process.execPath, ['scripts/imports.mjs', folder], {
      encoding: 'utf8',
    });
    return { code: status, faults: stderr.trim().split('\n').filter(Boolean) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the check of imports', () => {
  it('passes where rooms import what is below them', () => {
    const files = {
      'api/client.ts': '',
      'jobs/run.ts': "import '../api/client.js';\n",
      'commands/jobs.ts': "import { run } from '../jobs/run.js';\n",
    };
    expect(check(files)).toEqual({ code: 0, faults: [] });
  });

  it.each([
    ['a type', "import type { Session } from '../commands/spaces.js';\n"],
    ['a lazy import', "const load = () => import('../commands/spaces.js');\n"],
    ['a type in an expression', "type Spaces = typeof import('../commands/spaces.js');\n"],
  ])('finds a room that imports one above it, by %s', (_, text) => {
    const files = { 'commands/spaces.ts': '', 'jobs/run.ts': text };
    expect(check(files)).toEqual({ code: 1, faults: ['jobs/run.ts must not import commands/spaces.ts'] });
  });

  it('lets every room import the base, which imports none', () => {
    const files = { 'base/io.ts': '', 'api/client.ts': "import '../base/io.js';\n" };
    expect(check(files).code).toBe(0);
    const above = { 'api/client.ts': '', 'base/io.ts': "import '../api/client.js';\n" };
    expect(check(above).faults).toEqual(['base/io.ts must not import api/client.ts']);
  });

  it('finds a backup that imports the printer', () => {
    const files = {
      'output/printer.ts': '',
      'backup/run.ts': "import '../output/printer.js';\n",
    };
    expect(check(files).faults).toEqual(['backup/run.ts must not import output/printer.ts']);
  });

  it('finds a feature that imports another, and lets both import what they share', () => {
    const files = {
      'commands/shared/page.ts': '',
      'commands/links/read.ts': '',
      'commands/teams.ts': "import './shared/page.js';\n",
      'commands/sites/list.ts': "import '../links/read.js';\nimport '../teams.js';\n",
    };
    expect(check(files).faults).toEqual([
      'commands/sites/list.ts must not import commands/links/read.ts',
      'commands/sites/list.ts must not import commands/teams.ts',
    ]);
    const above = { 'commands/links/read.ts': '', 'commands/shared/page.ts': "import '../links/read.js';\n" };
    expect(check(above).code).toBe(1);
  });

  it.each([
    ['commands/teams', 6],
    ['commands/shared', 7],
  ])('finds more files in %s than %d', (folder, allowed) => {
    const names = Array.from(
      { length: allowed + 1 },
      (_, index) => `${folder}/${index % 2 ? 'parts/' : ''}${index}.ts`,
    );
    const [first = '', ...others] = names;
    const filesOf = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, '']));
    expect(check({ ...filesOf(others), 'commands/teams.ts': '', 'jobs/run.ts': '' }).faults).toEqual([]);
    expect(check(filesOf([first, ...others])).faults).toEqual([
      `${folder} has ${allowed + 1} files, it may have ${allowed}`,
    ]);
  });

  it('finds rooms that come next, too', () => {
    const files = { 'commands/apply.ts': '', 'plans/apply.ts': "import '../commands/apply.js';\n" };
    expect(check(files).code).toBe(1);
  });

  it('finds a circle through a type and a lazy import', () => {
    const files = {
      'jobs/one.ts': "import type { Two } from './two.js';\n",
      'jobs/two.ts': "const load = () => import('./three.js');\n",
      'jobs/three.ts': "import './one.js';\n",
    };
    expect(check(files).faults).toEqual(['import circle: jobs/one.ts, jobs/three.ts, jobs/two.ts']);
  });

  describe('of reports', () => {
    /** A file that imports so many modules of others, what reports are made with among them, and two of its own. */
    const importing = (file: string, count: number, module = 'cli/run/report.ts') => {
      const others = Array.from({ length: count - 1 }, (_, index) => `api/resource-${index}.ts`);
      const folder = dirname(file);
      const own = [`${folder}/words.ts`, `${folder}/shapes.ts`];
      const targets = [module, ...others, ...own];
      const lines = targets.map((target, index) => {
        const path = `../../${target.replace('.ts', '.js')}`;
        return index % 2 === 0
          ? `import type { T } from '${path}';\n`
          : `const t = () => import('${path}');\n`;
      });
      return { ...Object.fromEntries(targets.map((name) => [name, ''])), [file]: lines.join('') };
    };

    it.each(['cli/run/report.ts', 'cli/run/run-report.ts'])(
      'finds one that imports more than 12 modules of others, with %s',
      (module) => {
        expect(check(importing('commands/teams/idle.ts', 12, module)).faults).toEqual([]);
        expect(check(importing('commands/teams/idle.ts', 13, module)).faults).toEqual([
          'commands/teams/idle.ts imports 13 modules of others, a report may 12',
        ]);
      },
    );

    it('counts a module once, and lets what is no report import more', () => {
      const files = importing('commands/teams/idle.ts', 12);
      const twice = `${files['commands/teams/idle.ts']}import '../../cli/run/report.js';\n`;
      expect(check({ ...files, 'commands/teams/idle.ts': twice }).code).toBe(0);
      expect(check(importing('commands/teams/idle.ts', 13, 'cli/run/pipeline.ts')).code).toBe(0);
    });

    it('lets one of its list import as many as it has, and no more', () => {
      const file = 'commands/backup/verify.ts';
      const [fault = ''] = check(importing(file, 200)).faults;
      const allowed = Number(/a report may (\d+)$/.exec(fault)?.[1]);
      expect(allowed).toBeGreaterThan(12);
      expect(check(importing(file, allowed)).faults).toEqual([]);
      expect(check(importing(file, allowed + 1)).code).toBe(1);
    });
  });
});
