import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { freshHome } from '../program.js';
import { Screen } from './screen.js';

/** Records what somebody new types, and what the terminal shows, on a real pseudo-terminal. */

/** What is typed, and what must be on the screen before the next thing is. */
export interface Step {
  type: string;
  until: RegExp;
}

const prompt = '$ ';

/**
 * Runs the steps in a shell, against a sandbox server of the seed `tiny`, in a fresh home.
 * @returns the screen, with what differs from run to run replaced
 */
export async function record(
  program: string,
  columns: number,
  steps: (url: string, token: string) => Step[],
): Promise<string> {
  const home = freshHome();
  const folder = join(home.path, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'docs'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(folder, 'docs'), 0o755);
  const { url, tokens } = await home.json<{ url: string; tokens: { admin: string } }>(['sandbox', 'start']);
  const env = {
    ...home.env,
    PATH: `${folder}:${dirname(process.execPath)}:${process.env.PATH}`,
    ...{ TERM: 'xterm', PS1: prompt, HISTFILE: '' },
  };
  const screen = new Screen(columns);
  const shell = spawn('bash', ['--norc', '--noprofile'], {
    name: 'xterm',
    cols: columns,
    rows: 50,
    cwd: home.path,
    env,
  });
  let fresh = '';
  shell.onData((text) => {
    screen.write(text);
    fresh += text;
  });
  try {
    await shown(() => fresh, /\$ $/);
    for (const { type, until } of steps(url, tokens.admin)) {
      fresh = '';
      shell.write(type);
      await shown(() => fresh, until);
    }
    return settled(screen.text(), url);
  } finally {
    shell.kill();
    await home.run(['sandbox', 'stop']);
    home.remove();
  }
}

/** Waits until the bytes since the last step fit; how long a machine takes is not asked. */
async function shown(bytes: () => string, pattern: RegExp): Promise<void> {
  const plain = () => bytes().replace(/\x1b\[[?\d;]*[A-Za-z]/g, '');
  for (let tries = 0; tries < 1200; tries++) {
    if (pattern.test(plain())) return;
    await new Promise((again) => setTimeout(again, 25));
  }
  throw new Error(`The terminal never showed ${pattern}; it shows: ${plain()}`);
}

/** The port, the name of a job and the minute differ from run to run, and nothing else. */
function settled(text: string, url: string): string {
  return `${text
    .replaceAll(url, 'http://127.0.0.1:4321')
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '20260105-090000-5a5a5a')
    .replace(/(2026-01-1\d) \d\d:\d\d/g, '$1 09:00')
    .replace(/\n?\$ ?$/, '')}\n`;
}
