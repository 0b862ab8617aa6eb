import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { changeByte, linux, type Place, sampleRelease, standIn } from './sample-release.js';

/** The scripts of the action, as a runner would run them: with the inputs in their environment. */

interface Action {
  runs: {
    using: string;
    steps: { uses?: string; run?: string; env?: Record<string, string>; if?: string }[];
  };
}

const { runs } = parse(readFileSync('packaging/setup-docs/action.yml', 'utf8')) as Action;
const [, installs, checks] = runs.steps;
let place: Place;
beforeEach(async () => {
  place = await sampleRelease();
});
afterEach(() => place.remove());

const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Runs a step with bash, as runners do. */
function run(script: string | undefined, sum: string): { status: number | null; out: string } {
  const { root, release } = place;
  mkdirSync(join(root, 'home'), { recursive: true });
  const path = standIn(
    root,
    'uname',
    `case $1 in -s) echo ${linux.system} ;; *) echo ${linux.machine} ;; esac`,
  );
  const env = {
    ...{ PATH: `${path}:${process.env.PATH}`, HOME: join(root, 'home') },
    ...{ FROM: release, SUM: sum, PREFIX: join(root, 'docs') },
    ...{ GITHUB_PATH: join(root, 'path'), GITHUB_OUTPUT: join(root, 'output') },
  };
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script ?? 'exit 99'];
  const { status, stdout, stderr } = spawnSync('bash', words, { cwd: root, env, encoding: 'utf8' });
  return { status, out: stdout + stderr };
}

it('passes its inputs to scripts by variables, and skips the installation where the cache has it', () => {
  expect(installs?.env).toMatchObject({
    FROM: expect.stringContaining('{{ inputs.from }}'),
    SUM: expect.stringContaining('{{ inputs.sum }}'),
  });
  expect(installs?.if).toBe("steps.cache.outputs.cache-hit != 'true'");
});

it('installs the release and puts it on the PATH', () => {
  expect(run(installs?.run, sumOf(join(place.release, 'SHA256SUMS')))).toMatchObject({ status: 0 });
  expect(run(checks?.run, '')).toMatchObject({ status: 0 });
  expect(readFileSync(join(place.root, 'path'), 'utf8')).toBe(`${place.root}/docs/bin\n`);
  expect(readFileSync(join(place.root, 'output'), 'utf8')).toBe('version=docs-linux-x64 --version\n');
});

it.each(['SHA256SUMS', 'install.sh', 'docs-linux-x64'])(
  'installs nothing if a byte of %s differs',
  (name) => {
    const sum = sumOf(join(place.release, 'SHA256SUMS'));
    // Were it run, this would be seen.
    if (name === 'install.sh') writeFileSync(join(place.release, name), `touch '${place.root}/ran'\n`);
    else changeByte(join(place.release, name));
    const { status, out } = run(installs?.run, sum);
    expect(status).toBe(1);
    expect(out).toContain(name);
    expect([join(place.root, 'docs'), join(place.root, 'ran')].filter((path) => existsSync(path))).toEqual(
      [],
    );
  },
);
