import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { defineShow, docsOnPath, isInstalled, type Shell, startShell } from './shell.js';

/** What shells complete behind `docs help`: pages of the guide and their sections, in real shells. */

let home: Home;
let env: Record<string, string>;
let shell: Shell | undefined;

beforeEach(() => {
  home = freshHome();
  env = { ...home.env, PATH: docsOnPath(home.path), TERM: 'xterm', LC_ALL: 'C.UTF-8', PS1: '$ ' };
});
afterEach(() => {
  shell?.end();
  shell = undefined;
  home.remove();
});

it('docs __complete tells pages and sections with their titles', async () => {
  expect(await home.ok(['__complete', 'help', 'offb'])).toBe('offboarding\tGuide: Offboarding\n');
  expect(await home.ok(['__complete', 'help', 'guide', 'b'])).toBe(
    'backup\tGuide: Backups\nbulk\tGuide: Bulk changes and jobs\n',
  );
  expect(await home.ok(['__complete', 'help', 'guide', 'bulk', 'un'])).toBe('undo\tUndo\n');
});

describe.each([
  ['bash', ['--noprofile', '--norc', '-i'], { INPUTRC: '/dev/null' }, ':'],
  ['zsh', ['-f', '-i'], {}, 'unsetopt zle_bracketed_paste; autoload -Uz compinit && compinit -u -D'],
] as const)('%s', (name, words, more, before) => {
  it.skipIf(!isInstalled(name))('completes a page, and a section of one that a command hides', async () => {
    const begun = startShell(name, [...words], { ...env, ZDOTDIR: home.path, ...more }, home.path);
    shell = begun;
    await begun.run(defineShow);
    await begun.run(before);
    await begun.run(`source <(docs completion ${name})`);
    begun.clear();
    begun.type('docs help offb\t');
    await begun.until(/help offboarding /);
    expect(await begun.words()).toBe('<docs><help><offboarding>');
    begun.clear();
    begun.type('docs help gui\tbul\tjo\t');
    await begun.until(/guide bulk jobs/);
    expect(await begun.words()).toBe('<docs><help><guide><bulk><jobs>');
  });
});

it.skipIf(!isInstalled('fish'))('fish completes a page with its title, and sections', async () => {
  const completing = async (line: string) => {
    const script = `docs completion fish | source; complete -C '${line}'`;
    return (await promisify(execFile)('fish', ['--no-config', '-c', script], { cwd: home.path, env })).stdout;
  };
  expect(await completing('docs help offb')).toBe('offboarding\tGuide: Offboarding\n');
  expect(await completing('docs help guide bulk jo')).toBe('jobs\tJobs\n');
});
