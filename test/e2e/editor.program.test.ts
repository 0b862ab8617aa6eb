import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';
import { keys, type OnTerminal, type TerminalOptions } from './terminal.js';

/** `--editor`: what is written is sent or kept, and an editor that goes wrong changes nothing. */

const { home, sandbox, docs, here, changes, reset } = await sandboxHome();
beforeEach(async () => {
  for (const draft of draftsOf()) rmSync(draft);
  await reset();
});

const collection = seedId('collection product');
const update = ['collections', 'update', collection, '--editor'];

/** A script as the editor; the file is `$1`. */
function editing(
  script: string,
  args: readonly string[] = update,
  { env, ...options }: Partial<TerminalOptions> = {},
): OnTerminal {
  const path = join(home.path, 'edit');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return docs(args, { env: { PATH: process.env.PATH ?? '', EDITOR: path, ...env }, ...options });
}

const draftsOf = () => {
  const folder = join(home.path, '.local/state/docs/drafts');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};
const description = async () =>
  (JSON.parse(await here(['collections', 'get', collection, '--json'])) as { description?: string })
    .description;

describe('a text that is written', () => {
  it('is sent without the lines below the mark; the editor starts with what is there', async () => {
    await here(['collections', 'update', collection, '--description', 'As it was']);
    const terminal = editing('cp "$1" seen.md; sed -i "1s/.*/# What is new/" "$1"');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.words).toContain('✓ Updated collection');
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
    expect(terminal.words).toContain('✓ Created comment');
    expect(await here(['comments', 'list', '--space', space, '--json'])).toContain('Please look');
  });

  it('is one line, or an editor, for whoever has chosen none', async () => {
    const space = seedId('space guide');
    const terminal = editing('', ['comments', 'create', '--space', space], { env: { EDITOR: '' } });
    await terminal.answer('Write one line here');
    await terminal.hides('Open ');
    terminal.type(`Short and good${keys.enter}`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(await here(['comments', 'list', '--space', space, '--json'])).toContain('Short and good');
  });
});

describe('an editor that', () => {
  it.each([
    ['fails', 'echo new > "$1"; exit 3', 13, 'it exited with code 3'],
    ['is killed', 'echo new > "$1"; kill -9 $$', 13, 'failed'],
  ])('%s: nothing is sent, and what was written is kept', async (_, script, code, message) => {
    const terminal = editing(script);
    expect(await terminal.ended).toMatchObject({ code });
    expect(terminal.words).toContain(message);
    expect(terminal.words).toContain('Your text is in');
    expect(changes()).toEqual([]);
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
    ['empties the file', ': > "$1"', 2, 'the text is empty; nothing was sent'],
    ['removes the file', 'rm "$1"', 13, 'cannot read the edited text'],
    ['is not there', '', 13, 'it was not found', 'no-such-editor'],
  ])('%s changes nothing', async (_, script, code, message, editor?: string) => {
    await here(['collections', 'update', collection, '--description', 'As it was']);
    const terminal = editing(script, update, editor === undefined ? {} : { env: { EDITOR: editor } });
    expect(await terminal.ended).toMatchObject({ code });
    expect(terminal.words).toContain(message);
    expect(changes()).toEqual(['PATCH']);
    expect(await description()).toBe('As it was');
    expect(draftsOf()).toEqual([]);
  });
});

describe('where sending fails', () => {
  it('the text is kept, named, and opened again', async () => {
    sandbox.control.faults.add({ match: 'PATCH *', status: 500 });
    const terminal = editing('echo "Long thoughts" > "$1"', [...update, '--max-attempts', '1']);
    expect((await terminal.ended).code).not.toBe(0);
    sandbox.control.faults.clear();
    expect(terminal.words).toContain('Your text is in');
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
    await refused.answer('Go on with it?');
    expect((await refused.ended).code).toBe(2);
    expect(changes()).toEqual([]);
    const agreed = editing('true');
    await agreed.answer('Go on with it?', 'y');
    expect((await agreed.ended).code).toBe(0);
    expect(await description()).toBe('Long thoughts');
  });
});

describe('Ctrl-C in the editor', () => {
  it('is for the editor; the terminal is as it was', async () => {
    // Two threads of docs may take two signals in another order, so the editor ends once Ctrl-C is not pending any more.
    const taken = 'until grep -q "^ShdPnd.*[014589cd]$" /proc/$PPID/status; do :; done';
    const script = `trap "" INT; echo ready >&2; read line; ${taken}; echo "$line" > "$1"`;
    const terminal = editing(script, update, {
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

  it('is for the editor, as is Ctrl-D; what it leaves empty is not sent', async () => {
    // Ctrl-D ends the input of the editor, which saves nothing.
    const args = ['comments', 'create', '--space', seedId('space guide')];
    const terminal = editing('echo "editing"; cat > "$1"', args, { after: 'code=$?; stty -a; exit $code' });
    await terminal.shows('editing');
    terminal.type('\x04');
    const { code, screen } = await terminal.ended;
    expect(screen).toContain('the text is empty; nothing was sent');
    expect(screen).toMatch(/(?<!-)icanon/);
    expect(code).toBe(2);
    expect(changes()).toEqual([]);
  });

  it('that ends the editor changes nothing', async () => {
    // The shell itself waits: one that is about to become `sleep` would forget a Ctrl-C that comes just then.
    const terminal = editing('echo new > "$1"; echo ready >&2; read line');
    await terminal.shows('ready');
    terminal.type(keys.interrupt);
    const { code, signal } = await terminal.ended;
    expect([code === 130, signal === 2]).toContain(true);
    expect(changes()).toEqual([]);
  });
});

describe('without a terminal', () => {
  it.each([[[]], [['--json']]])('--editor is refused before anything is read %j', async (flags) => {
    const { code, stderr } = await home.run([...update, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain('--editor needs a terminal');
    expect(changes()).toEqual([]);
  });
});

describe('options of a custom field', () => {
  it('are a line each', async () => {
    await here([
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
    expect(await here(['custom-fields', 'list', '--json'])).toMatch(/draft[\s\S]*review[\s\S]*done/);
  });
});

describe('docs plan --editor', () => {
  it('opens a file of the folder, then plans', async () => {
    await here(['pull', '--dir', 'org', '--yes']);
    const args = ['plan', '--editor', '--only', 'change'];
    const terminal = editing('echo "$1" > seen.txt', args, { env: { DOCS_PAGER: 'cat' } });
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.path, 'seen.txt'), 'utf8')).toMatch(/org\/org\.yaml\n$/);
    mkdirSync(join(home.path, 'org/empty'), { recursive: true });
    for (const file of ['../edit', 'empty', 'none.yaml']) {
      const refused = editing('echo "$1" > never.txt', ['plan', `--editor=${file}`]);
      expect(await refused.ended).toMatchObject({ code: 2 });
      expect(refused.words).toContain('is not a file in org; nothing was opened');
    }
    expect(existsSync(join(home.path, 'never.txt'))).toBe(false);
  });
});
