import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutput } from '../../src/output/standard-streams.js';

/** Output past Node's streams: every byte arrives, in order, whatever the reader does. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What stands for Node's own stream, and what it was given. */
function ownStream() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      parts.push(chunk);
      done();
    },
  });
  return { stream: () => stream, given: () => Buffer.concat(parts) };
}

const written = (output: ReturnType<typeof openOutput>, text: string) =>
  new Promise<Error | null | undefined>((done) => output.write(text, done));

describe.skipIf(process.platform === 'win32')('output', () => {
  it('to a file is written at once, even while signals are listened to', async () => {
    const path = join(folder, 'file');
    const fd = openSync(path, 'w');
    const own = ownStream();
    const output = openOutput(fd, { ...own, mayWait: () => false });
    expect(await written(output, 'größer\n')).toBeUndefined();
    closeSync(fd);
    expect(readFileSync(path, 'utf8')).toBe('größer\n');
    expect(own.given()).toHaveLength(0);
  });

  it('that fails is told once to who wrote and who listens, and ends no process', async () => {
    const fd = openSync(join(folder, 'file'), 'w');
    const output = openOutput(fd, { ...ownStream(), mayWait: () => true });
    closeSync(fd);
    expect(await written(output, 'x')).toMatchObject({ code: 'EBADF' });
    expect(output.destroyed).toBe(true);
    const heard: unknown[] = [];
    output.on('error', (error) => heard.push(error));
    expect(await written(output, 'y')).toMatchObject({ code: 'EBADF' });
    expect(heard).toEqual([]);
  });

  /** A pipe that holds 64 KiB, and whose writer is never kept waiting. */
  const pipe = () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  };

  it('that a pipe has no room for goes on in the stream, where it stopped', async () => {
    const fd = pipe();
    const own = ownStream();
    const output = openOutput(fd, { ...own, mayWait: () => true });
    const text = Array.from({ length: 40_000 }, (_, at) => `${at}\n`).join('');
    await written(output, text);
    await written(output, 'the end\n');
    const room = Buffer.alloc(1 << 20);
    const direct = room.subarray(0, readSync(fd, room));
    closeSync(fd);
    expect(direct.length).toBeGreaterThan(0);
    expect(direct.toString() + own.given().toString()).toBe(`${text}the end\n`);
  });

  it('to a pipe goes through the stream once signals are listened to and much was written', async () => {
    const fd = pipe();
    const own = ownStream();
    let isFree = true;
    const output = openOutput(fd, { ...own, mayWait: () => isFree });
    await written(output, 'one ');
    isFree = false;
    await written(output, 'two');
    const much = 'three'.repeat(4000);
    await written(output, much);
    await written(output, 'four');
    const room = Buffer.alloc(100);
    expect(room.toString('utf8', 0, readSync(fd, room))).toBe('one two');
    closeSync(fd);
    expect(own.given().toString()).toBe(`${much}four`);
  });
});
