import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { type Action, type Held, type Leaver, nameOf } from './report.js';

/** What people hold and what will be done about it, in words: shown before anybody is asked. */

const mostListed = 8;

/** A person in a few lines. */
export function toldLines({ user, before, unseen, warnings, actions }: Leaver): string[] {
  const name = user.email === undefined ? user.displayName : `${user.displayName}, ${user.email}`;
  return [
    `${safeLine(name)} (${user.id})`,
    `  ${roleWords(before)}`,
    `  ${list('team', before.teams, ({ title, role, onlyOwner }) => `${title} (${onlyOwner ? 'only owner' : role})`)}`,
    `  ${list('space', before.spaces, ({ title, role }) => `${title} (${role})`)}`,
    `  ${list('open change request', before.changeRequests, ({ space, number, subject }) => `${space.title} #${number} ${subject}`)}`,
    ...unseen.map(
      ({ what, error }) => `  Not seen: ${safeLine(what)}: ${safeLine(String(error.message ?? ''))}`,
    ),
    ...warnings.map((warning) => `  Mind: ${warning}`),
    ...actions.map((action, index) => `  ${index + 1}. ${actionWords(action)}`),
  ];
}

function roleWords({ role, sso, disabled, lastSeenAt }: Held): string {
  const parts = [
    role === null ? 'guest' : `role ${safeLine(role)}`,
    sso ? 'SSO' : 'no SSO',
    ...(disabled ? ['disabled'] : []),
    lastSeenAt === undefined ? 'never seen' : `last seen ${lastSeenAt.slice(0, 10)}`,
  ];
  return parts.join(', ');
}

function list<T>(noun: string, items: readonly T[], words: (item: T) => string): string {
  if (items.length === 0) return `no ${noun}s`;
  const shown = items.slice(0, mostListed).map((item) => safeLine(words(item)));
  const more = items.length > mostListed ? [`${items.length - mostListed} more`] : [];
  return `${counted(items.length, noun)}: ${[...shown, ...more].join(', ')}`;
}

/** `hand over team Writers to ada@acme.example`. */
export function actionWords({ does, team, to, undo }: Action): string {
  const words = team === undefined ? does : does.replace(/team$/, () => `team ${safeLine(team.title)}`);
  const heir = to === undefined ? '' : ` to ${safeLine(nameOf(to))}`;
  return `${words}${heir}${undo === 'none' ? ', which cannot be undone' : ''}`;
}
