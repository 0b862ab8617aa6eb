import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { skillText, skillVersion } from '../../src/agents/skill.js';
import { exitCodes } from '../../src/base/exit-codes.js';
import { shellWords } from '../../src/base/shell-word.js';
import { version } from '../../src/base/version.js';
import { isHelpTopic } from '../../src/cli/help/topic-names.js';
import { mistakeIn } from '../../src/cli/parse/mistakes.js';
import { parseCommand } from '../../src/cli/parse/parser.js';
import { walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import { startRecordingPlatform } from '../cli/run/recording-platform.js';

/** `docs mcp skill`: what agents that run commands in a shell are told, and where it is written. */

/** The text of an older version. */
const old = () => skillText().replace(version, '0.0.1');
const platform = await startRecordingPlatform();
const { home } = platform;
afterAll(() => platform.close());
beforeEach(() => {
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
});

const docs = async (...words: string[]) => {
  const ran = await platform.run(words, { status: 500 });
  expect(ran.sent).toEqual([]);
  return ran;
};
const file = (folder: string) => join(home, folder, 'docs-cli', 'SKILL.md');

/** What is wrong with a command line, by its words alone. */
async function problemOf(words: readonly string[]): Promise<string | undefined> {
  if (words[0] === 'help') return isHelpTopic(words[1] ?? '') ? undefined : 'no such topic';
  const walked = await walk(words, groups);
  const mistake = await mistakeIn(walked, words, groups, 'linux');
  if (mistake !== undefined || walked.command === undefined) return mistake?.message ?? 'names no command';
  if (walked.flags.has('help')) return undefined;
  parseCommand(words, { ...walked, command: walked.command });
  return undefined;
}

describe('the skill', () => {
  it('has the head that agents expect, and the version', () => {
    const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(skillText()) ?? [];
    const { name, description, metadata } = parse(head) as Record<string, unknown>;
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(String(description).length).toBeLessThanOrEqual(1024);
    expect(String(description).length).toBeGreaterThan(100);
    expect(metadata).toEqual({ version, 'made-by': 'docs mcp skill' });
    expect(skillVersion(skillText())).toBe(version);
  });

  it('has at most 150 lines, and every exit code', () => {
    expect(skillText().split('\n').length).toBeLessThanOrEqual(150);
    for (const { code, meaning } of Object.values(exitCodes))
      expect(skillText()).toContain(`| ${code} | ${meaning} |`);
  });

  it('names commands and flags that there are', async () => {
    const lines = [...skillText().matchAll(/`(docs [^`]+)`/g)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines)
      expect({ line, problem: await problemOf(shellWords(line).slice(1)) }).toEqual({ line });
  });

  it('is printed as it is written', async () => {
    expect((await docs('skill', 'print')).stdout).toBe(skillText());
  });
});

describe('docs mcp skill install', () => {
  it('writes into the folders of the agents that are there, once, and into no other', async () => {
    for (const name of ['.claude', '.codex', '.config']) mkdirSync(join(home, name));
    const first = JSON.parse((await docs('skill', 'install', '--json')).stdout);
    expect(first).toEqual([
      { path: file('.claude/skills'), status: 'installed', version },
      { path: file('.codex/skills'), status: 'installed', version },
    ]);
    expect(readFileSync(file('.claude/skills'), 'utf8')).toBe(skillText());
    expect(readdirSync(home).sort()).toEqual(['.claude', '.codex', '.config']);
    expect(readdirSync(join(home, '.config'))).toEqual([]);
    const second = JSON.parse((await docs('skill', 'install', '--json')).stdout);
    expect(second.map(({ status }: { status: string }) => status)).toEqual(['up-to-date', 'up-to-date']);
  });

  it('writes only where --to says', async () => {
    mkdirSync(join(home, '.claude'));
    expect(await docs('skill', 'install', '--to', 'project/skills')).toMatchObject({ code: 0 });
    expect(readFileSync(file('project/skills'), 'utf8')).toBe(skillText());
    expect(readdirSync(join(home, '.claude'))).toEqual([]);
  });

  it('writes nothing with --dry-run, and nothing where no agent is', async () => {
    const none = await docs('skill', 'install', '--json');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(none.stderr).error.code).toBe('no_agents');
    mkdirSync(join(home, '.claude'));
    const { stdout } = await docs('skill', 'install', '--dry-run', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'not-written' }]);
    expect(existsSync(file('.claude/skills'))).toBe(false);
  });

  it('says in a dry run how many it would install and update', async () => {
    mkdirSync(join(home, '.claude'));
    mkdirSync(join(home, '.codex', 'skills', 'docs-cli'), { recursive: true });
    writeFileSync(file('.codex/skills'), old());
    const { code, stderr } = await docs('skill', 'install', '--dry-run');
    const would = 'Dry run: would install 1 file and update 1 file; nothing was written.\n';
    expect({ code, stderr }).toEqual({ code: 0, stderr: would });
    await docs('skill', 'install');
    const again = await docs('skill', 'install', '--dry-run');
    expect(again.stderr).toBe('Dry run: nothing would be written.\n');
  });

  it('replaces an old one of its own, and no other without --replace', async () => {
    for (const name of ['.claude', '.codex'])
      mkdirSync(join(home, name, 'skills', 'docs-cli'), { recursive: true });
    writeFileSync(file('.claude/skills'), old());
    writeFileSync(file('.codex/skills'), '---\nname: docs-cli\n---\nMy own notes.\n');
    const refused = await docs('skill', 'install', '--json');
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'file_exists',
      message: expect.stringContaining(
        `${file('.codex/skills')} was not written by docs; nothing was written`,
      ),
    });
    expect(skillVersion(readFileSync(file('.claude/skills'), 'utf8'))).toBe('0.0.1');
    const { stdout } = await docs('skill', 'install', '--replace', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'updated' }, { status: 'updated' }]);
    expect(readFileSync(file('.codex/skills'), 'utf8')).toBe(skillText());
  });

  it('docs doctor tells an old one', async () => {
    const skills = async () => {
      const answer = { status: 200, body: { items: [] } };
      const { stdout } = await platform.run(['doctor', '--json'], answer);
      return (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check === 'skill');
    };
    expect(await skills()).toEqual([]);
    mkdirSync(join(home, '.claude'));
    await docs('skill', 'install');
    expect(await skills()).toEqual([]);
    writeFileSync(file('.claude/skills'), old());
    const detail = `${file('.claude/skills')} is for docs 0.0.1, this is ${version}`;
    const hint = 'docs mcp skill install';
    expect(await skills()).toEqual([{ check: 'skill', state: 'warning', detail, hint }]);
  });
});
