import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { ownProgram } from '../../base/own-program.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { commandAt } from '../../cli/declare/tree.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { mistakeIn } from '../../cli/parse/suggest.js';
import { walk } from '../../cli/parse/walk.js';
import { refuseLocal } from '../../cli/run/in-rehearsal.js';
import type { Performed } from '../../rehearsal/stage.js';

/** What is rehearsed: a command line of docs, or a script. */
export interface Rehearsable {
  performed: Performed;
  /** As it would be typed. */
  words: readonly string[];
  /** The organization that the command line names. */
  org?: string;
}

/**
 * @param typed the words after `--`
 * @throws DocsError usage, as running it would; `no_command`, `not_plannable`, `not_in_rehearsal`: nothing was sent
 */
export async function rehearsable(
  { io }: Session,
  typed: readonly string[],
  options: ManualInput['options'],
  groups: readonly GroupEntry[],
): Promise<Rehearsable> {
  const { script } = options;
  if (typeof script === 'string') return scriptAt(io, script, typed);
  const argv = typed[0] === 'docs' ? typed.slice(1) : [...typed];
  if (argv.length === 0)
    throw usageError('no_command', 'missing the command to rehearse, after --; or --script', {
      hint: 'docs rehearse --help',
    });
  const walked = await walk(argv, groups);
  const mistake = await mistakeIn(walked, argv, groups, io.platform);
  if (mistake !== undefined) throw mistake;
  const { path, pathAt, command: outline, flags } = walked;
  const helps = walked.help || flags.has('help') || flags.has('version');
  if (outline === undefined && !helps) {
    const name = ['docs', ...path].join(' ');
    throw usageError('unknown_command', `"${name}" is a group, not a command`, { hint: `${name} --help` });
  }
  if (outline !== undefined && !helps) {
    const name = path.join(' ');
    if (name === 'rehearse') throw nested();
    const { command } = await commandAt(groups, name);
    refuseLocal(name, command, parseCommand(argv, { path, pathAt, command: outline }));
    const plans = outline.options.some((option) => option.name === 'save-plan');
    if (options.savePlan !== undefined && !plans) throw notPlannable(name);
  }
  const org = flags.get('org')?.at(-1);
  const { program, args } = ownProgram();
  const performed = { program, args: [...args, ...argv] };
  return { performed, words: ['docs', ...argv], ...(org !== undefined && { org }) };
}

export function nested() {
  const message = 'docs rehearse cannot run in a rehearsal; nothing was sent.';
  return usageError('nested_rehearsal', message, { hint: 'docs rehearse --help' });
}

function notPlannable(name: string) {
  const message = `docs ${name} makes no plan, so --save-plan has nothing to write; nothing was sent.`;
  return usageError('not_plannable', message, { hint: `docs rehearse -- ${name}` });
}

/** An executable file is run as it is, any other by sh. */
function scriptAt({ cwd }: Io, file: string, args: readonly string[]): Rehearsable {
  const path = resolve(cwd, file);
  const words = [file, ...args];
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw usageError('no_script', `--script: ${file} is not a file; nothing was sent.`, {
      hint: 'docs rehearse --help',
    });
  try {
    accessSync(path, constants.X_OK);
    return { words, performed: { program: path, args, isScript: true } };
  } catch {
    return { words: ['sh', ...words], performed: { program: 'sh', args: [path, ...args], isScript: true } };
  }
}
