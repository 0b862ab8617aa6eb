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
});
