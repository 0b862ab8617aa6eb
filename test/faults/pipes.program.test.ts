import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { longList } from './long-list.js';
import { inWorld, type Running, targets, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Time, memory, signals": readers that are slow, stop, or go away; disks that are full. */

/** Runs a line of a shell in which `"$@"` is docs. */
const inShell = (line: string): string[] => ['-c', line, 'bash', ...docsWords];

describe('a reader that goes away', () => {
  test('ends a list of 500,000 quietly: exit 0, at most 3 further requests', async () => {
    await inWorld({ script: longList(500_000) }, async ({ start, server }) => {
      const running = start(['teams', 'list', '-o', 'id'], { unread: true });
      await new Promise((resolve) => running.child.stdout?.once('data', resolve));
      running.child.stdout?.destroy();
      const asked = server.requests.length;
      const ran = await running.ended;
      expect({ code: ran.code, signal: ran.signal, stderr: ran.stderr }).toEqual({
        code: 0,
        signal: null,
        stderr: '',
      });
      expect(server.requests.length - asked).toBeLessThanOrEqual(3);
    });
  });

  test.each(['tsv', 'json'])('is head -1 in a shell, too: -o %s', async (format) => {
    await inWorld({ script: longList(500_000) }, async ({ shell, server }) => {
      const ran = await shell(inShell(`"$@" teams list -o ${format} | head -1; exit "$PIPESTATUS"`));
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
      expect(ran.stdout.split('\n')).toHaveLength(2);
      expect(server.requests.length).toBeLessThan(100);
    });
  });

  test('in a bulk write: what is in flight is finished, the rest is left, exit 3', async () => {
    const script = ({ method }: SeenRequest): Step => ({
      json: { id: 'u', role: method === 'GET' ? 'edit' : 'read' },
    });
    await inWorld({ script }, async ({ start, server }) => {
      const stdin = Array.from({ length: 3000 }, (_, index) => `u${index}\n`).join('');
      const args = ['members', 'update', '-', '--role', 'read', '--yes', '-o', 'ndjson'];
      const running = start(args, { stdin, unread: true });
      await new Promise((resolve) => running.child.stdout?.once('data', resolve));
      running.child.stdout?.destroy();
      const ran = await running.ended;
      const writes = targets(server).filter((target) => target.startsWith('PATCH')).length;
      expect(ran.code).toBe(3);
      expect(writes).toBeLessThan(3000);
      expect(ran.stderr).toContain('docs jobs resume');
      expect(ran.stderr).toContain(`${writes} of 3000 items are done`);
    });
  });
});

describe('a reader that is slow', () => {
  /** Resident memory of a process in MB; undefined where the system does not tell. */
  const memoryOf = (id: number | undefined): number | undefined => {
    try {
      const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
      return found === undefined ? undefined : Number(found) / 1024;
    } catch {
      return undefined;
    }
  };

  test('is never run ahead of by more than 3 pages; memory does not grow with the list', async () => {
    // 120 pages of a megabyte each. Node's heap grows to its usual size while the first of them are read.
    const pages = 120;
    await inWorld({ script: longList(pages * 1000, 1000) }, async ({ start, server }) => {
      const running = start(['teams', 'list', '-o', 'ndjson'], { unread: true });
      await until(() => server.requests.length >= 2);
      await until(() => (running.child.stdout?.readableLength ?? 0) > 0);
      expect(server.requests.length).toBeLessThanOrEqual(4);
      let bytes = 0;
      const printed = createHash('sha256');
      let early: number | undefined;
      let late: number | undefined;
      let furthest = 0;
      for await (const chunk of running.child.stdout ?? []) {
        bytes += (chunk as Buffer).length;
        printed.update(chunk as Buffer);
        const page = Math.floor(bytes / 1_000_000);
        furthest = Math.max(furthest, server.requests.length - page);
        if (page === 45) early ??= memoryOf(running.child.pid);
        if (page === 115) late ??= memoryOf(running.child.pid);
      }
      const ran = await running.ended;
      expect({ code: ran.code, requests: server.requests.length }).toEqual({ code: 0, requests: pages });
      expect(bytes).toBeGreaterThan(pages * 1_000_000);
      const expected = createHash('sha256');
      for (let number = 0; number < pages * 1000; number += 1)
        expected.update(`{"id":"t${number}","title":"${'x'.repeat(1000)}"}\n`);
      expect(printed.digest('hex')).toBe(expected.digest('hex'));
      expect(furthest).toBeLessThanOrEqual(5);
      if (early !== undefined && late !== undefined) expect(late - early).toBeLessThan(40);
    });
  });

  test('gets an answer of 5 MB whole', async () => {
    const text = 'x'.repeat(5_000_000);
    await inWorld({ script: () => ({ json: { id: 'x', text } }) }, async ({ start }) => {
      const { code, stdout } = await readLate(start(['api', '/v1/x', '--json'], { unread: true }));
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as { text: string }).text.length).toBe(text.length);
    });
  });

  test('gets all that was printed before the command failed', async () => {
    const page = longList(2000, 5000);
    const script = (request: SeenRequest, number: number): Step =>
      number === 1 ? page(request) : { status: 403 };
    await inWorld({ script }, async ({ start }) => {
      const { code, stdout } = await readLate(start(['teams', 'list', '-o', 'ndjson'], { unread: true }));
      expect(code).toBe(5);
      expect(stdout.trimEnd().split('\n')).toHaveLength(1000);
      expect(stdout.endsWith('}\n')).toBe(true);
    });
  });
});

/** Reads what a program prints only when the pipe is full of it. */
async function readLate({ child, ended }: Running): Promise<{ code: number | null; stdout: string }> {
  await until(() => (child.stdout?.readableLength ?? 0) > 0);
  const stdout = await text(child.stdout ?? Readable.from([]));
  return { code: (await ended).code, stdout };
}

/** Ways to a disk that takes no more: a limit on the size of files, and the device for it where there is one. */
const fullDisks: [name: string, line: string][] = [
  ['a file that may not grow', 'ulimit -f 8; "$@" > "$HOME/out"'],
  ...(statSync('/dev/full', { throwIfNoEntry: false })?.isCharacterDevice()
    ? ([['/dev/full', '"$@" > /dev/full']] as [string, string][])
    : []),
];

describe.each(fullDisks)('a full disk: %s', (_, line) => {
  const inLine = (...words: string[]) => [...inShell(line), ...words];

  test('under a list is exit 13, one sentence', async () => {
    await inWorld({ script: longList(3000, 50) }, async ({ shell }) => {
      const ran = await shell(inLine('teams', 'list'));
      expect(ran.code).toBe(13);
      expect(ran.stderr).toMatch(/cannot write the output/);
      expect(ran.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    });
  });

  test('under one resource, or under help, is 13 too', async () => {
    await inWorld(
      { script: () => ({ json: { id: 't1', title: 'x'.repeat(20_000) } }) },
      async ({ shell }) => {
        expect((await shell(inLine('teams', 'get', 't1'))).code).toBe(13);
        expect((await shell(inLine('commands', '--json'))).code).toBe(13);
      },
    );
  });
});

test('a full disk that takes nothing at all: help is 13, and a failure that cannot be told keeps its code', async () => {
  await inWorld({ script: () => ({ status: 403 }) }, async ({ shell }) => {
    const nothing = 'ulimit -f 0; ';
    expect((await shell(inShell(`${nothing}"$@" --help > "$HOME/out"`))).code).toBe(13);
    expect((await shell(inShell(`${nothing}"$@" teams get t1 --help > "$HOME/out"`))).code).toBe(13);
    expect((await shell(inShell(`${nothing}"$@" teams get t1 2> "$HOME/err"`))).code).toBe(5);
  });
});

test('a stdout that is closed is no crash', async () => {
  await inWorld({ script: () => ({ json: { id: 't1' } }) }, async ({ shell }) => {
    expect([0, 13]).toContain((await shell(inShell('"$@" teams get t1 >&-'))).code);
  });
});
