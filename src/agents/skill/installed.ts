import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Io } from '../../base/io.js';
import { makeFolders } from '../../base/own-files.js';
import { localIoError, systemCode } from '../../base/system-errors.js';
import { writeFileAtomically } from '../../base/write-file.js';
import { homeFolder } from '../../settings/paths.js';
import { skillName, skillText, skillVersion } from './skill-text.js';

/** The skill as a file in the folders that coding agents read. */

/** Where known agents keep their settings, in the home directory; their skills are in `skills` below. */
const agentFolders = ['.agents', '.claude', '.codex', '.copilot', '.cursor', '.gemini'];

/** The state of the skill in a folder of skills. */
export interface SkillFile {
  path: string;
  /** `foreign`: a file that this program did not make; `old`: made by another version, or edited. */
  state: 'absent' | 'current' | 'old' | 'foreign';
  /** The version that made it, where this program did. */
  version?: string;
}

/** The skill folders of the agents that are set up on this machine, whether they hold a skill or not. */
export function skillFolders(io: Io): string[] {
  const home = homeFolder(io);
  return agentFolders
    .map((name) => join(home, name))
    .filter((folder) => existsSync(folder))
    .map((folder) => join(folder, 'skills'));
}

/**
 * What stands where the skill belongs in a folder of skills.
 * @throws DocsError local-io where it cannot be read
 */
export async function skillIn(folder: string): Promise<SkillFile> {
  const path = join(folder, skillName, 'SKILL.md');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT') return { path, state: 'absent' };
    throw localIoError(cause, `Cannot read ${path}`);
  }
  const made = skillVersion(text);
  if (made === undefined) return { path, state: 'foreign' };
  return { path, state: text === skillText() ? 'current' : 'old', version: made };
}

/** Writes the skill, as a whole or not at all. @throws DocsError local-io */
export async function writeSkill({ path }: SkillFile): Promise<void> {
  try {
    makeFolders(dirname(path));
  } catch (cause) {
    throw localIoError(cause, `Cannot make the directory of ${path}`);
  }
  await writeFileAtomically(path, skillText());
}
