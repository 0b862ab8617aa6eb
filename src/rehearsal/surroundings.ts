import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Io } from '../base/io.js';
import { ownProgram } from '../base/own-program.js';
import { shellWord } from '../base/shell-word.js';
import type { RunningCopy } from '../copy/copy.js';
import { rehearsalVariable } from '../settings/paths.js';
import { rehearsalFile } from '../settings/rehearsal.js';

/** The environment of what is rehearsed, and a `docs` that works on the copy in whatever environment it is started. */

/** Where programs look for the settings and keys of a person. */
function homeVariables(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') return ['USERPROFILE', 'APPDATA', 'LOCALAPPDATA'];
  return ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];
}

/** The home of a script: empty, so that it finds no token and no settings that lead to the platform. */
function scriptHome(folder: string): string {
  return join(folder, 'home');
}

/** What leads any program to the copy. */
function leadsToCopy(folder: string, { url, token, organization }: RunningCopy): Record<string, string> {
  return {
    DOCS_BASE_URL: url,
    DOCS_TOKEN: token,
    DOCS_ORG: organization.id,
    [rehearsalVariable]: join(folder, rehearsalFile),
  };
}

/** Enough for any program: one that knows nothing of rehearsals gets the address and the token of the copy. */
export function commandEnvironment(io: Io, folder: string, copy: RunningCopy): Io['env'] {
  const { DOCS_PROFILE: _, ...env } = io.env;
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const proxyless = [env.no_proxy ?? env.NO_PROXY, '127.0.0.1'].filter((one) => one).join(',');
  return {
    ...env,
    [path]: [join(folder, 'bin'), env[path]].filter((one) => one).join(delimiter),
    NO_PROXY: proxyless,
    no_proxy: proxyless,
    ...leadsToCopy(folder, copy),
  };
}

/** The same with a home of its own. */
export function scriptEnvironment(
  env: Io['env'],
  folder: string,
  { platform }: Pick<Io, 'platform'>,
): Io['env'] {
  const own = { ...env };
  const names = homeVariables(platform);
  for (const name of names) delete own[name];
  const given = platform === 'win32' ? names : names.slice(0, 1);
  return { ...own, ...Object.fromEntries(given.map((name) => [name, scriptHome(folder)])) };
}

/**
 * Writes the `docs` of a rehearsal. It is on the copy also where a script cleared the environment; what a script sets
 * itself stays, and is refused where it leads elsewhere. It reads the settings of the person.
 */
export function writeShim(io: Io, folder: string, copy: RunningCopy): void {
  const shims = join(folder, 'bin');
  fs.mkdirSync(shims, { mode: 0o700 });
  fs.mkdirSync(scriptHome(folder), { mode: 0o700 });
  const { program, args } = ownProgram();
  const words = [program, ...args];
  const unset = leadsToCopy(folder, copy);
  const homes = homeVariables(io.platform).map((name) => [name, io.env[name]] as const);
  if (io.platform === 'win32') {
    const lines = [
      ...Object.entries(unset).map(([name, value]) => `@if not defined ${name} set "${name}=${value}"`),
      ...homes.map(([name, value]) => `@set "${name}=${value ?? ''}"`),
      `@${words.map((word) => `"${word}"`).join(' ')} %*`,
    ];
    fs.writeFileSync(join(shims, 'docs.cmd'), `${lines.join('\r\n')}\r\n`, { mode: 0o700 });
    return;
  }
  const quoted = (text: string) => shellWord(text, io.platform);
  const lines = [
    '#!/bin/sh',
    ...Object.entries(unset).map(
      ([name, value]) => `[ "\${${name}+set}" ] || export ${name}=${quoted(value)}`,
    ),
    `[ "\${HOME-}" != ${quoted(scriptHome(folder))} ] || unset HOME`,
    ...homes.flatMap(([name, value]) =>
      value === undefined ? [] : [`[ "\${${name}+set}" ] || export ${name}=${quoted(value)}`],
    ),
    `exec ${words.map(quoted).join(' ')} "$@"`,
  ];
  fs.writeFileSync(join(shims, 'docs'), `${lines.join('\n')}\n`, { mode: 0o700 });
}
