import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnPlaces } from '../../src/base/io.js';
import { writeAskedFile, writeNewAskedFile } from '../../src/files/asked-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-asked-'));
  mkdirSync(at('state/agent-plans'), { recursive: true });
  writeFileSync(at('policy.yaml'), 'mine');
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const own = (): OwnPlaces => ({
  files: [
    { path: at('policy.yaml'), what: 'a policy' },
    { path: at('config.json'), what: 'a settings file' },
  ],
  folders: [{ path: at('state'), what: 'the folder of journals' }],
  names: [{ name: '.docs.json', what: 'the settings file of a project' }],
  open: [at('state/agent-plans')],
});
const write = (name: string, content: Parameters<typeof writeAskedFile>[2] = 'new') =>
  writeAskedFile({ own }, at(name), content);

describe('a file that a person names', () => {
  it('is made, or replaces another one', async () => {
    await write('report.html', 'one');
    await write('report.html', 'two');
    await write('state/agent-plans/plan.json');
    expect([read('report.html'), read('state/agent-plans/plan.json')]).toEqual(['two', 'new']);
  });

  it.each([
    ['policy.yaml', 'is a policy'],
    ['config.json', 'is a settings file'],
    ['sub/.docs.json', 'is the settings file of a project'],
    ['state', 'is the folder of journals', 'is a directory'],
    ['state/audit.jsonl', 'is in the folder of journals'],
    ['state/jobs/none/job.ndjson', 'is in the folder of journals'],
    ['elsewhere/policy.yaml', 'is a policy'],
    ['elsewhere/state/audit.jsonl', 'is in the folder of journals'],
    ['same.yaml', 'is a policy'],
  ])('takes the place of nothing that docs owns: %s', async (name, ...whys) => {
    symlinkSync(folder, at('elsewhere'));
    linkSync(at('policy.yaml'), at('same.yaml'));
    await expect(write(name)).rejects.toThrow(new RegExp(whys.join('|')));
    expect(read('policy.yaml')).toBe('mine');
    expect(readdirSync(at('state'))).toEqual(['agent-plans']);
  });

  it.each(['victim', 'nothing'])('is not written through a link to %s', async (target) => {
    writeFileSync(at('victim'), 'mine');
    symlinkSync(at(target), at('link'));
    const message = `cannot write ${at('link')}: it is a symbolic link; nothing was written`;
    await expect(write('link')).rejects.toMatchObject({ code: 'unsafe_link', exitCode: 13, message });
    expect([read('victim'), readdirSync(folder).includes('nothing')]).toEqual(['mine', false]);
  });

  it('is not written through a link that came while its content was read', async () => {
    writeFileSync(at('victim'), 'mine');
    async function* content() {
      yield Buffer.from('new');
      symlinkSync(at('victim'), at('late'));
    }
    await expect(write('late', content())).rejects.toMatchObject({ code: 'unsafe_link' });
    expect(read('victim')).toBe('mine');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('takes the place of no device', async () => {
    await expect(writeAskedFile({}, '/dev/null', 'x')).rejects.toMatchObject({
      kind: 'usage',
      code: 'not_a_file',
    });
  });
});

it('no folder of docs is open unless it says so', async () => {
  const closed = () => ({ ...own(), open: [] });
  const written = writeAskedFile({ own: closed }, at('state/agent-plans/plan.json'), 'new');
  await expect(written).rejects.toMatchObject({ code: 'own_file' });
  expect(readdirSync(at('state/agent-plans'))).toEqual([]);
});

it('a name of the platform goes into no folder of docs', async () => {
  await expect(writeNewAskedFile({ own }, at('state'), 'logo.png', 'x')).rejects.toMatchObject({
    code: 'own_file',
    message: `${at('state')} is the folder of journals; nothing was written. Choose another name.`,
  });
  expect(await writeNewAskedFile({ own }, folder, 'logo.png', 'x')).toBe(at('logo.png'));
});
