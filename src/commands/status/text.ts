import type { Session } from '../../cli/declare/session.js';
import { printDocument } from '../../cli/run/for-reading.js';
import type { Fact } from '../../document/document.js';
import { counted } from '../../output/text.js';
import { memberName } from '../../settings/settings-file.js';
import { contextParts, labels } from './context.js';
import type { Identity } from './identity.js';
import type { Limit } from './limits.js';
import type { SignedIn } from './signed-in.js';

/** `docs status` as people read it on a terminal. */

/** Commands that are named of those that are refused. */
const mostNamed = 3;

export async function printStatus(session: Session, found: SignedIn, identity: Identity): Promise<void> {
  const { printer, settings } = session;
  const context = contextParts.map((name): Fact => {
    const { value, where = 'not set' } = settings[name] ?? {};
    const title = identity.titles[name as keyof Identity['titles']];
    const shown = title === undefined ? value : `${title} (${value})`;
    return { label: labels[name], value: shown ?? '-', beside: where };
  });
  const lines = [...context, ...personLines(found, identity), ...limitLines(identity)];
  const { token, works, problem } = found;
  const signIn: Fact = {
    label: 'sign-in',
    value: works ? 'works' : token === null ? (problem ?? 'not signed in') : 'does not work',
    beside: token ?? '-',
    tone: works ? 'good' : 'bad',
  };
  const all = lines.toSpliced(context.length, 0, signIn);
  await printDocument(session, { title: '', parts: [{ kind: 'facts', items: all }] });
  // A sentence would not fit beside the others.
  if (token !== null && problem !== undefined) printer.warn(problem);
}

function personLines({ token, member, works }: SignedIn, { name, role, roleAtMost }: Identity): Fact[] {
  if (token === null) return [];
  const known = member === undefined ? undefined : memberName(member);
  const who = name === undefined ? known : `${name} (${known})`;
  const lines: Fact[] = [
    { label: 'member', value: who ?? 'unknown', beside: member === undefined ? '-' : 'sign-in' },
  ];
  if (!works) return lines;
  const atMost = roleAtMost === undefined ? 'unknown' : `${roleAtMost} at most`;
  const from = name === undefined ? 'permissions of the token' : 'member';
  return [...lines, { label: 'role', value: role ?? atMost, beside: role === null ? '-' : from }];
}

function limitLines({ mayNot }: Identity): Fact[] {
  return mayNot.map((limit, at) => ({ label: at === 0 ? 'may not' : '', value: limitWords(limit) }));
}

function limitWords({ because, why, commands }: Limit): string {
  if (because === 'rehearsal') return why;
  const named = commands.slice(0, mostNamed).join(', ');
  const more = commands.length > mostNamed ? `, … (${counted(commands.length, 'command')})` : '';
  return `${named}${more}: ${why}`;
}
