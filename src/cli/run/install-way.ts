import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isBinary } from '../../base/own-program.js';

/** How the running program came onto this machine, by where its files are. Nothing is asked, not even of npm. */

/** Folders that package managers keep programs in which are installed for a user or a machine. */
const globalFolders: readonly (readonly [part: RegExp, manager: string])[] = [
  [/[\\/]\.bun[\\/]install[\\/]global[\\/]/, 'bun'],
  [/[\\/]pnpm[\\/](?:global|[\w.-]+[\\/]global)[\\/]/i, 'pnpm'],
  [/[\\/]yarn[\\/](?:global|Data[\\/]global)[\\/]/i, 'yarn'],
];

/**
 * @param started the path as the system started it
 * @returns a phrase: `installed globally by npm, in /usr/local/lib/node_modules/@docs-cli/docs`
 */
export function installWay(started: string): string {
  if (isBinary) return `a program without Node, in ${realOf(started)}`;
  const real = realOf(started);
  const root = packageOf(real);
  if (root === undefined) return `started as ${started}`;
  if (/[\\/]_npx[\\/]/.test(root)) return `run by npx, in ${root}`;
  const modules = modulesOf(root);
  if (modules === undefined)
    return `${existsSync(join(root, '.git')) ? 'clone' : 'files'} in ${root}${linkOf(started, real)}`;
  const manager =
    globalFolders.find(([part]) => part.test(root))?.[1] ?? (isNpmGlobal(modules) ? 'npm' : undefined);
  if (manager !== undefined) return `installed globally by ${manager}, in ${root}`;
  return `dependency of ${dirname(modules)}`;
}

/** The nearest folder above the folder of a file that has a package.json; `bin` has one that is not a package's. */
function packageOf(file: string): string | undefined {
  for (let at = dirname(dirname(file)); ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The outermost `node_modules` folder that a package is in: with pnpm there are several. */
function modulesOf(root: string): string | undefined {
  const parts = root.split(sep);
  const at = parts.indexOf('node_modules');
  return at === -1 ? undefined : parts.slice(0, at + 1).join(sep);
}

/** npm keeps global packages in `<prefix>/lib/node_modules`, on Windows in `<prefix>\node_modules` beside `npm`. */
function isNpmGlobal(modules: string): boolean {
  const above = dirname(modules);
  if (basename(above) === 'lib' && !existsSync(join(above, 'package.json'))) return true;
  return existsSync(join(above, 'docs.cmd')) && !existsSync(join(above, 'package.json'));
}

/** Of a clone, the link on the PATH that it was started by. */
function linkOf(started: string, real: string): string {
  return started === real ? '' : `, linked from ${started}`;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
