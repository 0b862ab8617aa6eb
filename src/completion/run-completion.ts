import { spawn } from 'node:child_process';
import type { GroupEntry } from '../cli/declare/command.js';
import type { Walk } from '../cli/parse/walk.js';
import type { Io } from '../io.js';
import type { Candidate, Completion } from './candidate.js';
import { complete } from './complete.js';
import type { StartInBackground } from './ids.js';
import type { ValueSources } from './values.js';

/**
 * `docs __complete <words…>`: one candidate a line, `word` or `word<TAB>note`; then what else the shell
 * is to do, each on a line that begins with a colon:
 *
 *     :files <before>     files fit, after this part of the current word
 *     :folders <before>   the same, folders alone
 *     :goes-on            no blank after the word
 *
 * Prints nothing rather than an error: whoever types sees none.
 */
export async function runCompletion(
  words: readonly string[],
  groups: readonly GroupEntry[],
  io: Io,
): Promise<void> {
  try {
    const found = await complete(words.map(unquoted), groups, sourcesOf(io, groups));
    io.stdout.write(textOf(found));
  } catch {
    // Silent: an error between two keys helps nobody.
  }
}

function textOf({ candidates, files, goesOn }: Completion): string {
  const lines = candidates.map(line);
  if (files !== undefined) lines.push(`:${files.foldersOnly ? 'folders' : 'files'} ${files.before}`);
  if (goesOn) lines.push(':goes-on');
  return lines.map((text) => `${text}\n`).join('');
}

function line({ word, note = '' }: Candidate): string {
  return note === '' ? word : `${word}\t${note}`;
}

/** A word as the shell would hand it over: shells tell the words of a line as they are typed. */
function unquoted(word: string): string {
  if (!/['"\\]/.test(word)) return word;
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/gs, (_, single, double, escaped) =>
    String(single ?? (double as string | undefined)?.replace(/\\(.)/gs, '$1') ?? escaped),
  );
}

/** What is behind the values; loaded at first use, since most completions need none of it. */
function sourcesOf(io: Io, groups: readonly GroupEntry[]): ValueSources {
  return {
    async ids(kind, place) {
      const { cachedIds } = await import('./ids.js');
      return cachedIds(io, inBackground(io))(kind, place);
    },
    async profiles() {
      const { readSettings } = await import('../settings/settings.js');
      return readSettings(io, {}).profiles;
    },
    fields: (place) => knownFields(place, groups),
  };
}

async function knownFields(
  { command: outline, path }: Walk,
  groups: readonly GroupEntry[],
): Promise<readonly string[]> {
  if (outline === undefined) return [];
  const { commandAt } = await import('../cli/declare/tree.js');
  const { command } = await commandAt(groups, path.join(' '));
  const { spec, operations, returns } = command;
  const [operation] = operations;
  if (spec !== undefined && operation !== undefined)
    return (await import('../cli/run/view.js')).viewOf(command, operation).fields;
  if (returns === undefined) return [];
  const { fieldPaths } = await import('../output/field-paths.js');
  return fieldPaths(returns.type === 'array' ? returns.items : returns).fields;
}

/** Starts this program again, on its own: it lives on when this one has ended. */
function inBackground(io: Io): StartInBackground {
  return (words) => {
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...words], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      cwd: io.cwd,
      env: { ...io.env },
    });
    child.on('error', () => {}); // No process to be had: no ids, and no word about it.
    child.unref();
  };
}
