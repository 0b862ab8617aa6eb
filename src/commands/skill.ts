import { resolve } from 'node:path';
import type { SkillFile } from '../agents/skill.js';
import { Type } from '../api/type.js';
import { usageError } from '../base/errors.js';
import { version } from '../base/version.js';
import type { Group, ManualInput } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/option.js';

import type { Session } from '../cli/declare/session.js';
import { noteSaid } from '../cli/run/output.js';
import { closed, stateOf, text } from '../output/printed-shapes.js';
import type { View } from '../output/printer.js';
import { counted } from '../output/text.js';

const print = manual({
  name: 'print',
  summary: 'Print the skill for coding agents',
  why: 'Prints the SKILL.md of this version of docs, to read or to save where your agent looks.',
  returns: Type.String({ description: 'Markdown with a head of YAML' }),
  examples: { 'skill print': 'print the instructions that agents get' },
  local: true,
  async run({ printer }) {
    const { skillText } = await import('../agents/skill.js');
    await printer.text(skillText());
  },
});

const install = manual({
  name: 'install',
  summary: 'Set up the skill for coding agents',
  why:
    'Writes or updates docs-cli/SKILL.md in each folder of --to, or in the skill folders of the agents in your ' +
    'home directory. A file that docs did not write stays unless --replace is given.',
  options: [
    option('--to <folder>...', 'Folder of skills; default: those of the agents found', {
      path: { use: 'writes' },
    }),
    option('--replace', 'Replace a SKILL.md that docs did not write'),
  ],
  returns: Type.Array(
    closed({
      path: text,
      status: stateOf('installed', 'updated', 'up-to-date', 'not-written'),
      version: text,
    }),
  ),
  columns: ['status', 'path', 'version'],
  id: 'path',
  examples: {
    'mcp skill install --dry-run': 'show where it would be written',
    'mcp skill install --to .claude/skills': 'install it for one project',
  },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['skills'] },
  local: true,
  run: (session, input, { view }) => installSkill(session, input, view),
});

export const skill: Group = {
  name: 'skill',
  summary: 'Print or install the skill for coding agents',
  guide: 'agents skill',
  why: 'For agents that run commands in a shell; those that speak MCP need no skill.',
  commands: [print, install],
};

/**
 * Writes the skill everywhere or, where one of the files is not ours, nowhere.
 * @throws DocsError usage `no_agents`; usage `file_exists`; local-io
 */
async function installSkill(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io, globals } = session;
  const { skillFolders, skillIn, writeSkill } = await import('../agents/skill.js');
  await printer.check(view);
  const asked = (input.options.to as string[] | undefined)?.map((folder) => resolve(io.cwd, folder));
  const folders = [...new Set(asked ?? skillFolders(io))];
  if (folders.length === 0) {
    const message = 'no coding agent found in your home directory; pass --to <folder>';
    throw usageError('no_agents', message, { hint: 'docs mcp skill print' });
  }
  const files = await Promise.all(folders.map(skillIn));
  const foreign = files.find(({ state }) => state === 'foreign');
  if (foreign !== undefined && input.options.replace !== true) {
    const message = `${foreign.path} was not written by docs; nothing was written. Add --replace to replace it.`;
    throw usageError('file_exists', message, { hint: 'docs mcp skill print' });
  }
  const changed = files.filter(({ state }) => state !== 'current');
  if (globals.dryRun !== true) {
    for (const file of changed) await writeSkill(file);
    if (changed.length > 0) printer.changed();
  }
  const items = files.map((file) => ({ path: file.path, status: statusOf(file, globals.dryRun), version }));
  await printer.list(items, view);
  if (globals.dryRun === true) printer.note(rehearsal(changed));
  else if (changed.length > 0 && io.stdout.isTTY === true)
    await noteSaid(session, `Wrote ${counted(changed.length, 'file')} of the skill.`);
}

/** `Dry run: would install 1 file and update 2 files; nothing was written.` */
function rehearsal(changed: readonly SkillFile[]): string {
  const absent = changed.filter(({ state }) => state === 'absent').length;
  const would = [
    ...(absent === 0 ? [] : [`install ${counted(absent, 'file')}`]),
    ...(absent === changed.length ? [] : [`update ${counted(changed.length - absent, 'file')}`]),
  ];
  return would.length === 0
    ? 'Dry run: nothing would be written.'
    : `Dry run: would ${would.join(' and ')}; nothing was written.`;
}

function statusOf({ state }: SkillFile, dryRun = false): string {
  if (state === 'current') return 'up-to-date';
  if (dryRun) return 'not-written';
  return state === 'absent' ? 'installed' : 'updated';
}
