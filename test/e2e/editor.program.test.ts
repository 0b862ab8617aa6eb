import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** `--editor`: what is written is sent or kept, and an editor that goes wrong changes nothing. */

let home: Home;
let sandbox: Started;
beforeAll(async () => {
  home = freshHome();
  sandbox = await startSandbox(home);
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});
beforeEach(async () => {
  for (const draft of draftsOf()) rmSync(draft);
  await sandbox.control.seed('tiny');
  sentBefore = (await sent()).length;
});

const collection = seedId('collection product');
const update = ['collections', 'update', collection, '--editor'];

interface Editing {
  after?: string;
  columns?: number;
  env?: Record<string, string>;
}

/** A script as the editor; the file is `$1`. */
function editing(
  script: string,
  args: readonly string[] = update,
  { env, ...options }: Editing = {},
): OnTerminal {
  const path = join(home.path, 'edit');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  const all = { ...home.env, PATH: process.env.PATH ?? '', EDITOR: path, ...env };
  return onTerminal(args, { env: all, cwd: home.path, ...options });
}

const shownIn = ({ screen }: OnTerminal) => screen.text().replaceAll(/\s+/g, ' ');
const draftsOf = () => {
  const folder = join(home.path, '.local/state/docs/drafts');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};
let sentBefore = 0;
const sent = async () => {
  const requests = await home.json<{ method: string; path: string }[]>(['sandbox', 'requests']);
  return requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1'));
};
const changes = async () => (await sent()).slice(sentBefore).map(({ method }) => method);
const description = async () =>
  (await home.json<{ description?: string }>(['collections', 'get', collection])).description;

describe('a text that is written', () => {
  it('is sent without the lines below the mark; the editor starts with what is there', async () => {
    await home.ok(['collections', 'update', collection, '--description', 'As it was']);
    const terminal = editing('cp "$1" seen.md; sed -i "1s/.*/# What is new/" "$1"');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(shownIn(terminal)).toContain('✓ Updated collection');
    const seen = readFileSync(join(home.path, 'seen.md'), 'utf8');
    expect(seen).toMatch(/^As it was\n/);
    expect(seen).toContain('for docs collections update');
    expect(seen).toContain('An empty text cancels.');
    expect(await description()).toBe('# What is new');
    expect(draftsOf()).toEqual([]);
  });

  it('may end its lines as Windows does, and begin with a byte order mark', async () => {
    const terminal = editing(`printf '\\357\\273\\277one\\r\\ntwo\\r\\n' > "$1"`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(await description()).toBe('one\ntwo');
  });

  it('is asked for by itself where it is missing, in the editor that was chosen', async () => {
    const space = seedId('space guide');
    const args = ['comments', 'create', '--space', space];
    const terminal = editing('echo "Please look" > "$1"', args);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(shownIn(terminal)).toContain('✓ Created comment');
    expect(await home.ok(['comments', 'list', '--space', space, '--json'])).toContain('Please look');
  });

  it('is one line, or an editor, for whoever has chosen none', async () => {
    const space = seedId('space guide');
    const terminal = editing('', ['comments', 'create', '--space', space], { env: { EDITOR: '' } });
    await terminal.shows('Write one line here');
    terminal.type(keys.enter);
    await terminal.hides('Open ');
    terminal.type(`Short and good${keys.enter}`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(await home.ok(['comments', 'list', '--space', space, '--json'])).toContain('Short and good');
  });
});

describe('an editor that', () => {
  it.each([
    ['fails', 'echo new > "$1"; exit 3', 13, 'it exited with code 3'],
    ['is killed', 'echo new > "$1"; kill -9 $$', 13, 'failed'],
  ])('%s: nothing is sent, and what was written is kept', async (_, script, code, message) => {
    const terminal = editing(script);
    expect(await terminal.ended).toMatchObject({ code });
    expect(shownIn(terminal)).toContain(message);
    expect(shownIn(terminal)).toContain('Your text is in');
    expect(await changes()).toEqual([]);
    const [draft = ''] = draftsOf();
    expect(readFileSync(draft, 'utf8')).toContain('new');
    expect(statSync(draft).mode & 0o077).toBe(0);
    // The next one opens with it.
    const next = editing('cp "$1" seen.md; echo more >> /dev/null; sed -i "1s/.*/newer/" "$1"');
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.path, 'seen.md'), 'utf8')).toMatch(/^new\n/);
    expect(await description()).toBe('newer');
    expect(draftsOf()).toEqual([]);
  });

  it.each([
    ['saves nothing', 'true', 0, 'The text was not changed, so nothing was sent.'],
    ['empties the file', ': > "$1"', 2, 'The text is empty; nothing was sent.'],
    ['removes the file', 'rm "$1"', 13, 'Cannot read the edited text'],
    ['is not there', '', 13, 'it was not found', 'no-such-editor'],
  ])('%s changes nothing', async (_, script, code, message, editor?: string) => {
    await home.ok(['collections', 'update', collection, '--description', 'As it was']);
    const before = await changes();
    const terminal = editing(script, update, editor === undefined ? {} : { env: { EDITOR: editor } });
    expect(await terminal.ended).toMatchObject({ code });
    expect(shownIn(terminal)).toContain(message);
    expect(await changes()).toEqual(before);
    expect(await description()).toBe('As it was');
    expect(draftsOf()).toEqual([]);
  });
});

describe('where sending fails', () => {
  it('the text is kept, named, and opened again', async () => {
    await home.ok(['sandbox', 'fault', '--match', 'PATCH *', '--status', '500']);
    const terminal = editing('echo "Long thoughts" > "$1"', [...update, '--max-attempts', '1']);
    expect((await terminal.ended).code).not.toBe(0);
    await home.ok(['sandbox', 'fault', '--clear']);
    expect(shownIn(terminal)).toContain('Your text is in');
    expect(readFileSync(draftsOf()[0] ?? '', 'utf8')).toContain('Long thoughts');
    const again = editing('echo "- and more" > "$1.new" && cat "$1" >> "$1.new" && mv "$1.new" "$1"');
    expect((await again.ended).code).toBe(0);
    expect(await description()).toBe('- and more\nLong thoughts');
    expect(draftsOf()).toEqual([]);
  });

  it('the text of a command that was killed is opened, too, and sent as it is only after a yes', async () => {
    const killed = editing(`echo "Long thoughts" > "$1"; kill -9 $PPID`);
    await killed.ended;
    const refused = editing('true');
    await refused.shows('Go on with it?');
    refused.type(keys.enter);
    expect((await refused.ended).code).toBe(2);
    expect(await changes()).toEqual([]);
    const agreed = editing('true');
    await agreed.shows('Go on with it?');
    agreed.type(`y${keys.enter}`);
    expect((await agreed.ended).code).toBe(0);
    expect(await description()).toBe('Long thoughts');
  });
});

describe('Ctrl-C in the editor', () => {
  it('is for the editor; the terminal is as it was', async () => {
    const terminal = editing('trap "" INT; echo ready >&2; read line; echo "$line" > "$1"', update, {
      after: 'code=$?; stty -a | grep -o -- "-\\?\\(icanon\\|echo\\) " | tr -d "\\n"; exit $code',
    });
    await terminal.shows('ready');
    terminal.type(keys.interrupt);
    terminal.type(`after all${keys.enter}`);
    const { code, screen } = await terminal.ended;
    expect(screen).toContain('icanon echo');
    expect(code).toBe(0);
    expect(await description()).toBe('after all');
  });

  it('that ends the editor changes nothing', async () => {
    const terminal = editing('echo ready >&2; echo new > "$1"; sleep 300');
    await terminal.shows('ready');
    terminal.type(keys.interrupt);
    const { code, signal } = await terminal.ended;
    expect([code === 130, signal === 2]).toContain(true);
    expect(await changes()).toEqual([]);
  });
});

describe('without a terminal', () => {
  it.each([[[]], [['--json']]])('--editor is refused before anything is read %j', async (flags) => {
    const { code, stderr } = await home.run([...update, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain('--editor needs a terminal');
    expect(await changes()).toEqual([]);
  });
});

describe('options of a custom field', () => {
  it('are a line each', async () => {
    await home.ok([
      ...['custom-fields', 'create', 'stage', '--title', 'Stage', '--type', 'select'],
      ...['--option', 'draft', '--option', 'done'],
    ]);
    const terminal = editing('cp "$1" seen.txt; sed -i "2s/.*/review\\ndone/" "$1"', [
      'custom-fields',
      'update',
      'stage',
      '-e',
    ]);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.path, 'seen.txt'), 'utf8')).toMatch(/^draft\ndone\n/);
    expect(await home.ok(['custom-fields', 'list', '--json'])).toMatch(/draft[\s\S]*review[\s\S]*done/);
  });
});

describe('docs plan --editor', () => {
  it('opens a file of the folder, then plans', async () => {
    await home.ok(['pull', '--dir', 'org', '--yes']);
    const args = ['plan', '--editor', '--only', 'change'];
    const terminal = editing('echo "$1" > seen.txt', args, { env: { DOCS_PAGER: 'cat' } });
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.path, 'seen.txt'), 'utf8')).toMatch(/org\/org\.yaml\n$/);
    mkdirSync(join(home.path, 'org/empty'), { recursive: true });
    for (const file of ['../edit', 'empty', 'none.yaml']) {
      const refused = editing('echo "$1" > never.txt', ['plan', `--editor=${file}`]);
      expect(await refused.ended).toMatchObject({ code: 2 });
      expect(shownIn(refused)).toContain('is not a file in org; nothing was opened');
    }
    expect(existsSync(join(home.path, 'never.txt'))).toBe(false);
  });
});
