import { operations } from '../api/resources/index.js';
import { type Role, roles } from '../api/shapes.js';
import { defined } from '../base/values.js';
import type { CommandTable } from './command-table.js';
import { decide, decideCommand } from './decide.js';
import type { GatedCommand } from './gate.js';
import { wordsMatch } from './match.js';
import type { Policy, Subject, Verdict } from './policy.js';
import { effectOf } from './subject.js';

/** What policies say to commands in general, before anything is typed for them. */

export interface CommandVerdict {
  command: string;
  verdict: Verdict['is'];
  rule?: string;
  file?: string;
  line?: number;
  /** Rules on fields and undo that can be stricter, and what a command of several requests lacks. */
  unless: string[];
}

/** @param sends the operations that it declares */
export function verdictOn(
  policies: readonly Policy[],
  command: GatedCommand,
  sends: readonly { id: string }[],
  table: CommandTable,
): CommandVerdict {
  const found = decideCommand(policies, command);
  const unless =
    found.is === 'deny' ? [] : [...stricter(policies, command), ...lacking(policies, command, sends, table)];
  return { command: command.words, verdict: found.is, ...defined({ ...found.by }), unless };
}

/** Rules against it whose attributes the command alone does not tell. */
function stricter(policies: readonly Policy[], { words, effect }: GatedCommand): string[] {
  if (effect === 'read' || effect === 'local') return [];
  const typed = words.split(' ');
  const against = policies.flatMap(({ deny, ask }) => [
    ...deny.map((rule) => ({ rule, is: 'deny' })),
    ...ask.map((rule) => ({ rule, is: 'ask' })),
  ]);
  return against
    .filter(
      ({ rule }) => rule.attributes.some(({ name }) => name !== 'danger') && wordsMatch(rule.words, typed),
    )
    .map(({ rule, is }) => `${is}: ${rule.text}`);
}

/** The commands of its requests that are not allowed. */
function lacking(
  policies: readonly Policy[],
  { words, carrier }: GatedCommand,
  sends: readonly { id: string }[],
  table: CommandTable,
): string[] {
  if (carrier) return [];
  const found = sends.flatMap(({ id }) => {
    const subject = generalSubject(id, table);
    if (subject === undefined || subject.effect === 'read' || subject.command === words) return [];
    const { is } = decide(policies, subject);
    return is === 'allow' ? [] : [`${is}: ${subject.command}`];
  });
  return [...new Set(found)];
}

/** An operation as a command of its own, of which nothing is typed yet. */
function generalSubject(id: string, table: CommandTable): Subject | undefined {
  const op = operations.find((one) => one.id === id);
  const own = table.operations.get(id);
  return op && own && { command: own.words, effect: effectOf({ op }), danger: own.danger };
}

/** The highest role that anything needs that these policies may allow, whatever is typed. */
export function highestRole(policies: readonly Policy[], table: CommandTable): Role {
  const needed = operations.filter(({ id }) => {
    const subject = generalSubject(id, table);
    return subject === undefined || decide(policies, subject).is !== 'deny';
  });
  const ranks = needed.map(({ needs }) => roles.indexOf(needs));
  return roles[Math.min(...ranks, roles.length - 1)] ?? 'admin';
}
