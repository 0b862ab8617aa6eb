import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Document } from '../../src/document/document.js';
import { reportFile, writeReport } from '../../src/reports/write.js';

const io = { now: () => Date.parse('2025-06-15T12:00:00Z') };
const report: Document = { title: 'Members of Acme', about: [], facts: [], parts: [] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-reports-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, content = report): Promise<string> {
  return writeReport(io, await reportFile(name, folder), content);
}
const read = (name: string) => readFile(join(folder, name), 'utf8');

describe('the file of a report', () => {
  it('is written for its owner only, and told with its size', async () => {
    expect(await write('members.html')).toMatch(/^Wrote members\.html \(\d[\d.]* kB\)\.$/);
    expect(await read('members.html')).toMatch(/^<!doctype html><!-- docs report 1 -->\n/);
    expect((await stat(join(folder, 'members.html'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['members.html']);
  });

  it('replaces another report, and an empty file', async () => {
    await writeFile(join(folder, 'empty.html'), '');
    await write('empty.html');
    await write('empty.html', { ...report, title: 'Members of Globex' });
    expect(await read('empty.html')).toContain('<h1 dir="auto">Members of Globex</h1>');
  });

  it.each([
    ['another page', '<!doctype html>\n<html></html>'],
    ['a text', 'mine'],
    ['a line alone', '\n'],
  ])('refuses to replace %s', async (_name, content) => {
    await writeFile(join(folder, 'notes.html'), content);
    await expect(reportFile('notes.html', folder)).rejects.toMatchObject({
      kind: 'usage',
      code: 'file_exists',
      message:
        'notes.html already exists and is not a report of docs; nothing was written. Choose another name.',
    });
    expect(await read('notes.html')).toBe(content);
  });

  it('refuses what came there after the check', async () => {
    const file = await reportFile('late.html', folder);
    await writeFile(file.path, 'mine');
    await expect(writeReport(io, file, report)).rejects.toMatchObject({ code: 'file_exists' });
    expect(await read('late.html')).toBe('mine');
  });

  it('is never written through a link', async () => {
    await write('real.html');
    await symlink('real.html', join(folder, 'link.html'));
    await expect(write('link.html', { ...report, title: 'Second' })).rejects.toMatchObject({
      code: 'unsafe_link',
      exitCode: 13,
    });
    expect(await read('real.html')).not.toContain('Second');
  });

  it('refuses what cannot be a file before anything is read', async () => {
    await mkdir(join(folder, 'a.html'));
    for (const typed of ['', '-'])
      await expect(reportFile(typed, folder)).rejects.toMatchObject({ kind: 'usage', code: 'bad_value' });
    await expect(reportFile('a.html', folder)).rejects.toMatchObject({ code: 'is_a_folder', exitCode: 13 });
    await expect(reportFile('no/a.html', folder)).rejects.toMatchObject({
      code: 'no_such_file',
      exitCode: 13,
    });
    await expect(reportFile('/dev/null', folder)).rejects.toMatchObject({ code: 'file_exists' });
  });
});
