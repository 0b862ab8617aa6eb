import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Header, type ItemLine, writeLine } from '../../src/jobs/journal.js';
import { hashOfInput } from '../../src/jobs/journal-folder.js';
import { type ApprovalHome, ada, approvalHome, bob } from './approval-home.js';

/** A plan that changes five roles and needs an approval, and its apply, which is killed while the third is under way. */
export interface FiveRoles extends ApprovalHome {
  ids: readonly string[];
  /** Everything as after the start, with the plan in plan.json. */
  begin(policy?: string): Promise<void>;
  /** How many of the five have the role of the plan. */
  commenting(): Promise<number>;
  applyInPart(file?: string): Promise<void>;
  /** Resumes the job, which must be refused with nothing sent. */
  notResumed(): ReturnType<ApprovalHome['refused']>;
}

export const resume = ['jobs', 'resume', 'last', '--json'];

export async function fiveRoles(): Promise<FiveRoles> {
  const all = await approvalHome();
  const { home, forwarder } = all;
  const others = (await all.members()).filter(({ role }) => role !== 'admin' && role !== 'comment');
  const ids = others.slice(0, 5).map(({ id }) => id);
  expect(ids).toHaveLength(5);
  all.write('ids', ids.join('\n'));
  return {
    ...all,
    ids,
    async begin(policy = all.policyText([ada, bob])) {
      await all.reset();
      all.write('policy.yaml', policy);
      home.env.DOCS_POLICY = all.at('policy.yaml');
      await home.ok(['members', 'update', '@ids', '--role', 'comment', '--save-plan', 'plan.json', '--yes']);
    },
    async commenting() {
      const members = await all.members();
      return members.filter(({ id, role }) => ids.includes(id) && role === 'comment').length;
    },
    async applyInPart(file = 'plan.json') {
      forwarder.reset();
      const running = home.begin(['apply', file, '--yes', '--concurrency', '1']);
      forwarder.onChange = (count) => {
        if (count < 3) return 'pass';
        running.kill('SIGKILL');
        return 'lost after';
      };
      expect((await running.ended).signal).toBe('SIGKILL');
      await forwarder.idle();
      expect(forwarder.done).toHaveLength(3);
      forwarder.onChange = () => 'pass';
    },
    notResumed: () => all.refused(...resume.slice(0, -1)),
  };
}

/** Rewrites a journal as somebody would who knows its format: its lines, and the hash in its header. */
export function editJournal(path: string, edit: (header: Header, lines: ItemLine[]) => void): void {
  const texts = readFileSync(path, 'utf8').trimEnd().split('\n');
  const [header, ...lines] = texts.map((text) => JSON.parse(text)) as [Header, ...ItemLine[]];
  edit(header, lines);
  header.input = hashOfInput(
    header,
    lines
      .filter(({ is }) => is === 'planned')
      .map(writeLine)
      .join(''),
  );
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
}
