import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { membersPlatform } from './members-platform.js';
import { memberPages, type PagedMembers } from './paged-members.js';
import { freshHome, type Home } from './program.js';
import { keys, onTerminal } from './terminal.js';

/**
 * What does not fit on the screen goes to a pager: on a real terminal of 24 lines, with less and with stand-ins. Which
 * pager, and when none: pager.world.test.ts.
 */

let platform: PagedMembers;
let home: Home;

beforeAll(async () => {
  home = freshHome();
  platform = await memberPages();
});
beforeEach(() => platform.reset());
afterAll(async () => {
  await platform.close();
  home.remove();
});

/** Runs docs in a shell on a terminal, and compares the settings of the terminal before and after. */
function docs(words: readonly string[], DOCS_PAGER?: string, url = platform.url) {
  return onTerminal(words, {
    env: {
      ...{ ...home.env, TERM: 'xterm-256color', DOCS_BASE_URL: url, DOCS_TOKEN: 't', DOCS_ORG: 'o1' },
      ...(DOCS_PAGER !== undefined && { DOCS_PAGER }),
    },
    cwd: home.path,
    rows: 24,
    before: 'stty -a > before',
    after: 'echo "[exit $?]"; stty -a > after; cmp before after && echo "[sane]"',
  });
}

/** A program as the pager. */
function standIn(name: string, script: string): string {
  const path = join(home.path, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const clean = '[exit 0]\r\n[sane]\r\n';

describe('less', () => {
  it('shows a list that is longer than the screen; q ends it, and nothing more is read', async () => {
    platform.pages = 1000;
    const terminal = docs(['members', 'list']);
    await terminal.shows('Member 20');
    terminal.type('q');
    const { bytes } = await terminal.ended;
    expect(bytes).toContain(clean);
    expect(bytes).not.toContain('error');
    expect(platform.requests.length).toBeLessThan(100);
  });

  it('stays at Ctrl-C; what was read can still be read, and leaving it is no failure', async () => {
    platform.pages = 1000;
    const terminal = docs(['members', 'list']);
    await terminal.shows(':');
    const asked = terminal.bytes.lastIndexOf(':');
    // less forgets the key that it reads first after an interrupt, if it was not yet waiting for one when that came.
    terminal.type(`${keys.interrupt} `);
    await expect.poll(() => terminal.bytes.lastIndexOf(':')).toBeGreaterThan(asked);
    terminal.type(' ');
    await terminal.shows('Member 40');
    terminal.type('q');
    const { bytes } = await terminal.ended;
    expect(bytes).toContain('Interrupted: not all of the output was read.');
    expect(bytes).toContain(clean);
  });

  it('keeps what was read before a failure, which is told once it has closed', async () => {
    Object.assign(platform, { pages: 3, fault: 403 });
    const terminal = docs(['members', 'list', '--no-retry']);
    await terminal.shows('Member 20');
    terminal.type('G');
    await terminal.shows('Member 149');
    expect(platform.requests).toHaveLength(4);
    terminal.type('q');
    const { bytes } = await terminal.ended;
    expect(bytes.indexOf('error:')).toBeGreaterThan(bytes.indexOf('Member 149'));
    expect(bytes).toMatch(/\[exit [^0]\d*\]\r\n\[sane\]/);
  });
});

describe('a pager', () => {
  it('gets all of what does not fit', async () => {
    const { bytes } = await docs(['members', 'list'], standIn('count', 'echo "[paged $(wc -l) lines]"'))
      .ended;
    expect(bytes).toContain('[paged 51 lines]');
    expect(bytes).toContain(clean);
  });

  it('that fails at once is named, and nothing is lost', async () => {
    platform.pages = 4;
    const { bytes } = await docs(['members', 'list'], standIn('bad', 'exit 1')).ended;
    expect(bytes).toContain('failed with exit code 1. Printing without it.');
    for (const id of ['Member 0 ', 'Member 49 ', 'Member 50 ', 'Member 199 '])
      expect(bytes.split(id)).toHaveLength(2);
    expect(bytes).toContain(clean);
  });

  it('that reads one line and ends has had enough', async () => {
    platform.pages = 1000;
    const { bytes } = await docs(['members', 'list'], 'head -n 1').ended;
    expect(bytes).toContain('EMAIL');
    expect(bytes).not.toContain('Member 0');
    expect(bytes).toContain(clean);
    expect(platform.requests.length).toBeLessThan(100);
  });

  it('gets notes after it has closed, and its heading kept where less can do that', async () => {
    const less = standIn(
      'less',
      'if [ "$1" = --version ]; then echo "less 643 (x)"; exit; fi; echo "args:$*"; cat > read; echo "[closed]"',
    );
    platform.pages = 3;
    const { bytes } = await docs(['members', 'list', '--limit', '60'], less).ended;
    expect(bytes).toContain('args:--header=1');
    expect(bytes.indexOf('showing 60')).toBeGreaterThan(bytes.indexOf('[closed]'));
    expect(readFileSync(join(home.path, 'read'), 'utf8')).not.toContain('showing');
    expect((await docs(['help', 'policy'], less).ended).bytes).toContain('args:\r\n');
  });

  it.each([
    ['restores the terminal as it ends', 'trap "echo left; exit 0" TERM'],
    ['ignores that, too', 'trap "" TERM'],
  ])('that %s ends at a second Ctrl-C, and docs with it', async (_, onTerm) => {
    const slow = await membersPlatform((url) => url.searchParams.has('page'), 40);
    // Its input ends once docs has taken the first one.
    const script = `${onTerm}; trap "" INT; read first; echo shown; cat > rest; echo taken; read line < /dev/tty`;
    const terminal = docs(['members', 'list'], standIn('stays', script), slow.url);
    await terminal.shows('shown');
    terminal.type(keys.interrupt);
    await terminal.shows('taken');
    terminal.type(keys.interrupt);
    expect(await terminal.ended).toMatchObject({ signal: 2 });
    slow.close();
  });
});
