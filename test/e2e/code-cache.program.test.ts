import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home, program, runProgram } from './program.js';

/**
 * The cache of compiled code (docs/decisions/010): it makes a start faster and changes nothing else,
 * whatever has become of it. Node from 22 on keeps such a cache itself.
 */

let home: Home;
beforeEach(() => {
  home = freshHome({}, { compiled: false });
});
afterEach(() => home.remove());

const folder = () => join(home.path, '.cache', 'docs', 'code');
const files = () => (existsSync(folder()) ? readdirSync(folder()) : []);
const cacheFile = () => join(folder(), files()[0] ?? 'there is none');
/** Tells a file that was replaced from one that was left alone. */
const identity = () => [statSync(cacheFile()).ino, statSync(cacheFile()).mtimeMs];
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const help = async () => {
  const { code, stdout, stderr } = await home.run(['spaces', '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** Takes longer than any start, in processor time. */
const runLong = async (words: readonly string[]) => {
  const spin = join(home.path, 'spin.cjs');
  writeFileSync(spin, 'while (process.cpuUsage().user < 1_100_000);');
  await home.run(words, { env: { NODE_OPTIONS: `--require=${spin}` } });
};

describe.skipIf('enableCompileCache' in nodeModule)('the code cache', () => {
  it('is kept at the first run, for its user alone, and left alone by the next', async () => {
    const first = await help();
    expect(files()).toEqual([`${process.version}-${process.arch}.bin`]);
    expect([mode(folder()), mode(cacheFile())]).toEqual(['700', '600']);
    const kept = identity();
    expect(await help()).toBe(first);
    expect(identity()).toEqual(kept);
  });

  it('grows by what another command loads, and loses nothing', async () => {
    await help();
    await home.run(['config', 'path']);
    const kept = identity();
    await help();
    await home.run(['config', 'path']);
    expect(identity()).toEqual(kept);
  });

  it('gains what another command runs of the same files, unless V8 may have dropped functions meanwhile', async () => {
    const read = ['spaces', 'gett'];
    await home.run(read);
    const [first, names] = [identity(), Object.keys(entries())];
    await runLong(['--help']);
    expect(identity()).toEqual(first);
    await home.run(['--help']);
    expect(Object.keys(entries()).sort()).toEqual(names.sort());
    const second = identity();
    expect(second).not.toEqual(first);
    await home.run(['--help']);
    await home.run(read);
    expect(identity()).toEqual(second);
  });

  it('gains what a short run compiles of files that a long run was the first to keep', async () => {
    await runLong(['--help']);
    const first = identity();
    await home.run(['--help']);
    const second = identity();
    expect(second).not.toEqual(first);
    await home.run(['--help']);
    expect(identity()).toEqual(second);
  });

  it('is neither read nor written with NODE_DISABLE_COMPILE_CACHE', async () => {
    home.env.NODE_DISABLE_COMPILE_CACHE = '1';
    await help();
    expect(existsSync(join(home.path, '.cache'))).toBe(false);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut off in its header', (bytes) => bytes.subarray(0, 10)],
    ['cut off in its data', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ['of a header longer than any', (bytes) => Buffer.concat([Buffer.alloc(4, 255), bytes.subarray(4)])],
    ['damaged everywhere', (bytes) => Buffer.concat([bytes.subarray(0, headerEnd(bytes)), flipped(bytes)])],
    ['of places that make no sense', () => headed({ 'process.js': [0, 1e99, 'x', null], 'x.js': 7 })],
    ['of no places', () => headed(null)],
  ])('is made anew where the file is %s', async (_, damage) => {
    const text = await help();
    const good = readFileSync(cacheFile());
    writeFileSync(cacheFile(), damage(good));
    expect(await help()).toBe(text);
    const mended = identity();
    expect(await help()).toBe(text);
    expect(identity()).toEqual(mended);
    expect(readFileSync(cacheFile()).length).toBeGreaterThan(good.length / 2);
  });

  it('is not read where others could have written it', async () => {
    const text = await help();
    const [inode] = identity();
    chmodSync(cacheFile(), 0o666);
    expect(await help()).toBe(text);
    expect(identity()[0]).not.toBe(inode);
    expect(mode(cacheFile())).toBe('600');
  });

  it('is not written into a folder of others, nor where a file stands in its way', async () => {
    mkdirSync(folder(), { recursive: true });
    chmodSync(folder(), 0o777);
    const text = await help();
    expect(files()).toEqual([]);
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), 'a file');
    expect(await help()).toBe(text);
    expect(readFileSync(folder(), 'utf8')).toBe('a file');
  });

  it('never stands for a program of another content', async () => {
    const copy = mkdtempSync(join(home.path, 'copy-'));
    cpSync(dirname(dirname(program)), copy, { recursive: true });
    symlinkSync(join(dirname(dirname(program)), '..', '..'), join(copy, 'node_modules'));
    const run = () => runProgram(['--help'], home.env, home.path, '', { path: join(copy, 'bin', 'docs.js') });
    expect((await run()).stdout).toContain('Administer a documentation platform');
    const name = readdirSync(join(copy, 'dist')).find(
      (file) =>
        /^[^/]*\.js$/.test(file) &&
        readFileSync(join(copy, 'dist', file), 'utf8').includes('Administer a doc'),
    );
    const path = join(copy, 'dist', name ?? '');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Administer a doc', 'Administer A DOC'));
    expect((await run()).stdout).toContain('Administer A DOCumentation platform');
  });

  it('is written whole or not at all, by many at once', async () => {
    const text = await help();
    truncateSync(cacheFile());
    const all = await Promise.all(Array.from({ length: 6 }, help));
    expect(all).toEqual(Array.from({ length: 6 }, () => text));
    expect(files()).toEqual([`${process.version}-${process.arch}.bin`]);
    const kept = identity();
    await help();
    expect(identity()).toEqual(kept);
  });
});

describe.runIf('enableCompileCache' in nodeModule)('the code cache of Node', () => {
  it('is kept in a folder that is closed to others', async () => {
    await help();
    expect(mode(folder())).toBe('700');
    expect(files().length).toBeGreaterThan(0);
  });

  it('is neither read nor written with NODE_DISABLE_COMPILE_CACHE', async () => {
    home.env.NODE_DISABLE_COMPILE_CACHE = '1';
    await help();
    expect(existsSync(join(home.path, '.cache'))).toBe(false);
  });

  it.each([0o777, 0o755])('is not used in a folder of mode %o', async (open) => {
    mkdirSync(folder(), { recursive: true });
    chmodSync(folder(), open);
    await help();
    expect(files()).toEqual([]);
  });

  it('is not used where a link or a file stands in place of the folder', async () => {
    mkdirSync(dirname(folder()), { recursive: true });
    mkdirSync(join(home.path, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(home.path, 'elsewhere'), folder());
    await help();
    expect(files()).toEqual([]);
    rmSync(folder());
    writeFileSync(folder(), 'a file');
    await help();
    expect(readFileSync(folder(), 'utf8')).toBe('a file');
  });
});

/** What the file has, by name of a file of the build. */
function entries(): object {
  const bytes = readFileSync(cacheFile());
  return (JSON.parse(bytes.toString('latin1', 4, headerEnd(bytes))) as { entries: object }).entries;
}

/** Where the data of the file begins. */
function headerEnd(bytes: Buffer): number {
  return 4 + bytes.readUInt32LE();
}

/** The data with bits changed ever further apart, so not at the same places of the two copies of a file's code. */
function flipped(bytes: Buffer): Buffer {
  const data = Buffer.from(bytes.subarray(headerEnd(bytes)));
  for (let at = 0, step = 32; at < data.length; at += step, step += 1) data[at] = (data[at] ?? 0) ^ 4;
  return data;
}

function headed(header: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}
