// What somebody tries who has just installed docs, with a home that is empty.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './source.mjs';

/**
 * @param {string} command path of docs
 * @param {string} work an empty folder, for its home
 * @param {string} [path] what stands before PATH, such as the folder of a Node
 * @throws if it does not work
 */
export function tryProgram(command, work, path = '') {
  const home = join(work, 'home');
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, PATH: `${path}:${process.env.PATH}`, LANG: 'C.UTF-8' };
  const run = (...words) => {
    const ran = spawnSync(command, words, { cwd: work, env, encoding: 'utf8' });
    if (ran.status !== 0 || ran.stderr !== '')
      throw new Error(`docs ${words.join(' ')}: exit ${ran.status ?? ran.error?.message}, ${ran.stderr}`);
    return ran.stdout;
  };
  expectEqual('docs --version', run('--version'), `${own.version}\n`);
  const spaces = JSON.parse(run('--sandbox', 'spaces', 'list', '--json'));
  expectEqual('spaces of the sandbox', spaces.length > 0, true);
  expectEqual(
    'docs help guide install',
    run('help', 'guide', 'install'),
    readFileSync('docs/guide/install.md', 'utf8'),
  );
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) run('completion', shell);
  tryCompletion(command, env);
}

/** What bash gets for `docs spac`. */
function tryCompletion(command, env) {
  const script = [
    'docs() { "$DOCS" "$@"; }; source <("$DOCS" completion bash)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it.
    'COMP_LINE="docs spac" COMP_POINT=9 COMP_WORDS=(docs spac) COMP_CWORD=1; _docs; printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  const path = `${command.slice(0, command.lastIndexOf('/'))}:${env.PATH}`;
  const options = { env: { ...env, PATH: path, DOCS: command }, encoding: 'utf8' };
  const words = execFileSync('bash', ['-c', script.join('\n')], options).trim();
  expectEqual('completion of "docs spac"', words, 'spaces');
}

/**
 * @param {string} page path of a man page
 * @throws if it is not there, or man finds fault with it
 */
export function tryManPage(page) {
  if (!existsSync(page)) throw new Error(`${page} is missing.`);
  if (spawnSync('man', ['--version']).error !== undefined) return;
  const env = { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' };
  const { status, stdout } = spawnSync('man', ['--local-file', page], { env, encoding: 'utf8' });
  if (status !== 0 || !/^NAME$/m.test(stdout.replaceAll(/.\x08/g, '')))
    throw new Error(`man cannot show ${page}.`);
}

/** @throws if what was found is not what was expected */
export function expectEqual(what, found, expected) {
  if (found !== expected)
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, not ${JSON.stringify(found)}.`);
}
