import type { Session } from '../../cli/declare/session.js';
import { lookOf, widthOf } from '../../cli/run/for-reading.js';
import { counted } from '../../output/counted.js';
import { type Labelled, labelledText } from '../../output/labelled.js';
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
  const look = await lookOf(session);
  const context = contextParts.map((name): Labelled => {
    const { value, where = 'not set' } = settings[name] ?? {};
    const title = identity.titles[name as keyof Identity['titles']];
    const shown = title === undefined ? value : `${title} (${value})`;
    return { label: labels[name], value: shown ?? '-', beside: where };
  });
  const lines = [...context, ...personLines(found, identity), ...limitLines(identity)];
  const { token, works, problem } = found;
  const signIn: Labelled = {
    label: 'sign-in',
    value: works ? 'works' : token === null ? (problem ?? 'not signed in') : 'does not work',
    beside: token ?? '-',
    paint: works ? look.good : look.bad,
  };
  const all = lines.toSpliced(context.length, 0, signIn);
  const layout = { columns: widthOf(session), label: look.strong, beside: look.quiet } as const;
  await printer.painted(labelledText(all, { ...layout, otherwise: 'nowhere' }));
  // A sentence would not fit beside the others.
  if (token !== null && problem !== undefined) printer.warn(problem);
}

function personLines({ token, member, works }: SignedIn, { name, role, roleAtMost }: Identity): Labelled[] {
  if (token === null) return [];
  const known = member === undefined ? undefined : memberName(member);
  const who = name === undefined ? known : `${name} (${known})`;
  const lines: Labelled[] = [
    { label: 'member', value: who ?? 'unknown', beside: member === undefined ? '-' : 'sign-in' },
  ];
  if (!works) return lines;
  const atMost = roleAtMost === undefined ? 'unknown' : `${roleAtMost} at most`;
  const from = name === undefined ? 'permissions of the token' : 'member';
  return [...lines, { label: 'role', value: role ?? atMost, beside: role === null ? '-' : from }];
}

function limitLines({ mayNot, agent }: Identity): Labelled[] {
  const limits = mayNot.map(
    (limit, at): Labelled => ({ label: at === 0 ? 'may not' : '', value: limitWords(limit) }),
  );
  const asked = 'nothing is asked; what has to be confirmed needs --yes';
  return [...limits, ...(agent === null ? [] : [{ label: 'agent', value: `${agent}: ${asked}` }])];
}

function limitWords({ because, why, commands }: Limit): string {
  if (because === 'rehearsal') return why;
  const named = commands.slice(0, mostNamed).join(', ');
  const more = commands.length > mostNamed ? `, … (${counted(commands.length, 'command')})` : '';
  return `${named}${more}: ${why}`;
}
