import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { rehearseHomeOfFile } from './rehearse-home.js';

/** What commands download in a rehearsal are the platform's own bytes, and they print what they print outside of one. */

const home = rehearseHomeOfFile();

test('files and a PDF', async () => {
  const at = ['--space', seedId('space welcome')];
  const [file] = await home.json<{ id: string }[]>(['content', 'files', 'list', ...at]);
  const [request] = await home.json<{ id: string }[]>(['change-requests', 'list', ...at]);
  const commands = [
    ['content', 'files', 'list', ...at, '--json'],
    ['content', 'files', 'get', file?.id ?? '', ...at, '--download', 'file.bin'],
    ['change-requests', 'pdf', request?.id ?? '', ...at, '--download', 'space.pdf'],
  ];
  let printed = '';
  for (const words of commands) printed += await home.ok(words);
  const names = ['file.bin', 'space.pdf'] as const;
  const read = (...folder: string[]) => names.map((name) => readFileSync(join(home.path, ...folder, name)));
  const [wanted, pdf] = read() as [Buffer, Buffer];
  expect(wanted.length).toBeGreaterThan(0);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');

  mkdirSync(join(home.path, 'tried'));
  home.script('all.sh', ['cd tried', ...commands.map((words) => `docs ${words.join(' ')}`)].join('\n'));
  const ran = await home.rehearse('--script', 'all.sh');
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: printed });
  const [got, other] = read('tried') as [Buffer, Buffer];
  expect(got.equals(wanted)).toBe(true);
  expect(other.length).toBe(pdf.length);
});
