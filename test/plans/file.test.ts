import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setAdaptiveSchema } from '../../src/api/resources/adaptive-schemas.js';
import { updateMember } from '../../src/api/resources/members.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import { RawNumber } from '../../src/api/transport/json-text.js';
import { canonical } from '../../src/jobs/state.js';
import { hashOfPlan, loadPlan, readPlan, writePlan } from '../../src/plans/file.js';
import { makePlan } from '../../src/plans/make.js';
import type { Draft, Plan } from '../../src/plans/plan.js';
import { PlanSchema } from '../../src/plans/schema.js';
import { fakeIo } from '../fake-io.js';
import { request } from './plan-world.js';

/** The file of a plan: whole or refused. */

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'docs-plan-'));
  file = join(folder, 'plan.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const io = fakeIo({ cwd: '/' });
const org = { organizationId: 'org1' };
const facts = {
  nowMs: Date.UTC(2026, 0, 1),
  version: '1.2.3',
  origin: 'https://api.example',
  profile: 'default',
  organization: 'org1',
  command: 'plan',
  line: ['docs', 'plan'],
  by: { id: 'u1', email: 'ada@acme.example' },
  risks: ['Two people lose access.'],
  notes: [{ code: 'stays', item: 'teams/b', message: 'It stays.', hint: 'Look.' }],
  lock: [{ item: 'teams/a', to: null }],
} as const;
const nothing = { one: async () => ({ role: 'read', title: 'Old' }), all: async () => [] };
const long = { jsonSchema: { type: 'object', description: 'x'.repeat(40_000) } };

const drafts: Draft[] = [
  {
    change: {
      ...request(createTeam, org, { title: 'Editors' }),
      lock: { item: 'teams/e', to: { id: { $from: 'o1', path: 'id' }, applied: { title: 'h' } } },
    },
  },
  {
    change: request(updateTeam, { ...org, teamId: { $from: 'o1', path: 'id' } }, { title: 'Authors' }),
    risk: 'Look.',
  },
  { change: request(setAdaptiveSchema, { ...org, siteId: 's1' }, long) },
  { change: request(updateMember, { ...org, userId: 'u2' }, { role: 'edit' }) },
  {
    action: 'finding',
    kind: 'people',
    key: 'zoe',
    finding: { code: 'no_creation', message: 'No.', hint: 'Invite.' },
  },
];

const made = () => makePlan(nothing, facts, drafts);

async function written(): Promise<Plan> {
  const plan = await made();
  await writePlan(io, file, plan);
  return plan;
}

const codeOf = (read: Promise<unknown>) =>
  read.then(
    () => 'read',
    (cause) => cause.code,
  );

describe('a plan that was written', () => {
  it('is read as it was, for its owner alone, one operation a line', async () => {
    const plan = await written();
    expect(await readPlan(io, file)).toEqual(plan);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('    {"id":"o'))).toHaveLength(drafts.length);
    expect(fs.readdirSync(folder).sort()).toEqual(['plan.json', 'plan.json.bodies']);
  });

  it('has bodies over 32 KB beside it, named by their hash', async () => {
    await written();
    const [name = ''] = fs.readdirSync(`${file}.bodies`);
    const bytes = fs.readFileSync(join(`${file}.bodies`, name));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(name);
    expect(fs.statSync(join(`${file}.bodies`, name)).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toContain(`{"$body":"${name}"}`);
    expect(fs.statSync(file).size).toBeLessThan(10_000);
  });

  it('keeps integers of any length', async () => {
    const number = new RawNumber('123456789012345678901234567890');
    const plan = await makePlan(nothing, facts, [
      { change: request(setAdaptiveSchema, { ...org, siteId: 's1' }, { jsonSchema: { maximum: number } }) },
    ]);
    await writePlan(io, file, plan);
    const read = await readPlan(io, file);
    expect(canonical(read)).toBe(canonical(plan));
    expect(fs.readFileSync(file, 'utf8')).toContain('"maximum":123456789012345678901234567890');
  });

  it('replaces an older one, and leaves no draft behind', async () => {
    await written();
    const plan = await written();
    expect((await readPlan(io, file)).id).toBe(plan.id);
    expect(fs.readdirSync(folder)).toHaveLength(2);
  });
});

describe('a file that is not a plan as it was made', () => {
  const edit = (change: (text: string) => string) =>
    fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));

  it.each([
    ['a body', (text: string) => text.replace('"role":"edit"', '"role":"admin"')],
    ['the head', (text: string) => text.replace('Two people', 'Nobody')],
    ['the hash', (text: string) => text.replace(/"hash": "../, '"hash": "00')],
    ['an operation left out', (text: string) => text.replace(/ {4}\{"id":"o4".*\n/, '')],
  ])('is refused as edited: %s', async (_, change) => {
    await written();
    edit(change);
    await expect(readPlan(io, file)).rejects.toMatchObject({ code: 'plan_edited', exitCode: 2 });
  });

  it('is refused where the body beside it was changed, or is gone', async () => {
    await written();
    const [name = ''] = fs.readdirSync(`${file}.bodies`);
    const body = join(`${file}.bodies`, name);
    fs.appendFileSync(body, ' ');
    expect(await codeOf(readPlan(io, file))).toBe('plan_edited');
    fs.rmSync(body);
    expect(await codeOf(readPlan(io, file))).toBe('plan_edited');
    fs.symlinkSync('/etc/passwd', body);
    expect(await codeOf(readPlan(io, file))).toBe('plan_edited');
  });

  it('is refused where it shows one request and would send another, whatever its hash says', async () => {
    const plan = await made();
    const operations = plan.operations.map((one) =>
      one.request === undefined ? one : { ...one, request: { ...one.request, path: '/v1/harmless' } },
    );
    const forged = { ...plan, operations };
    await writePlan(io, file, { ...forged, hash: hashOfPlan(forged) });
    await expect(readPlan(io, file)).rejects.toMatchObject({
      code: 'plan_edited',
      message: expect.stringContaining('o1'),
    });
  });

  it('is refused by its version, and can still be looked at', async () => {
    await written();
    edit((text) => text.replace('"plan": 1', '"plan": 2'));
    expect(await codeOf(readPlan(io, file))).toBe('plan_version');
    expect((await loadPlan(io, file)).reasons).toMatchObject([
      { code: 'plan_version', message: expect.stringMatching(/was written by docs \S+ in format 2/) },
    ]);
  });

  it.each([
    ['an empty file', () => fs.writeFileSync(file, '')],
    ['another text', () => fs.writeFileSync(file, 'hello')],
    ['other JSON', () => fs.writeFileSync(file, '{"a": 1}')],
    ['JSON that is cut off', () => fs.writeFileSync(file, '{"plan": 1, "id": "p-1"')],
    ['a plan without operations', () => fs.writeFileSync(file, '{"plan": 1, "id": "p-1"}')],
    ['a directory', () => fs.mkdirSync(file)],
    ['a pipe', () => execFileSync('mkfifo', [file])],
    ['a link', () => fs.symlinkSync('/etc/hostname', file)],
    [
      'two gigabytes',
      () => {
        fs.writeFileSync(file, '{"plan": 1');
        fs.truncateSync(file, 2 ** 31);
      },
    ],
  ])('is refused at once: %s', async (_, make) => {
    make();
    await expect(readPlan(io, file)).rejects.toMatchObject({ code: 'not_a_plan', exitCode: 2 });
  });

  it('is a local failure where there is none', async () => {
    await expect(readPlan(io, file)).rejects.toMatchObject({ code: 'no_such_file', exitCode: 13 });
  });
});

describe('the schema', () => {
  it('fits what is made and written, and names each key of it', async () => {
    const plan = await written();
    const validate = new Ajv({ strict: true, strictTypes: false, allErrors: true }).compile(
      closed(PlanSchema),
    );
    validate(JSON.parse(fs.readFileSync(file, 'utf8')));
    expect(validate.errors ?? []).toEqual([]);
    validate(plan);
    expect(validate.errors ?? []).toEqual([]);
  });
});

/** The schema with no further keys in objects whose keys it names. */
function closed(schema: object): object {
  const ofPart = (part: unknown) => (typeof part === 'object' && part !== null ? closed(part) : part);
  if (Array.isArray(schema)) return schema.map(ofPart);
  const entries = Object.entries(schema).map(([key, part]) => [key, ofPart(part)]);
  return Object.fromEntries('properties' in schema ? [...entries, ['additionalProperties', false]] : entries);
}
