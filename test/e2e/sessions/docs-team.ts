import { keys } from '../terminal.js';
import type { Session, Step } from './record.js';

/** Signs in to Acme without showing it: how that looks is in the session of the first day. */
export const signedIn = ({ url, token }: { url: string; token: string }): readonly Step[] => [
  {
    run: ['auth', 'login'],
    answers: [
      ['Address of the platform:', `${url}${keys.enter}`],
      ['Token:', `${token}${keys.enter}`],
      ['❯ No default', `${keys.down}${keys.enter}`],
    ],
    hidden: true,
  },
];

const conditions = ['--if-links-clean', '--if-not-outdated', '--if-no-open-comments'];
const yes: readonly [string, string] = ['(y/N)', `y${keys.enter}`];

/** What a docs lead does with change requests: the inbox, the oldest of all, a review, merges, and the stale ones. */
export const docsTeam: Session = {
  steps: (sandbox) => [
    ...signedIn(sandbox),
    { run: ['change-requests', 'inbox', '--limit', '5'] },
    { run: ['change-requests', 'inbox', '--as', 'deniz@acme.example'] },
    { run: ['change-requests', 'list', '--all-spaces', '--limit', '5'] },
    { run: ['change-requests', 'diff', '3', '--space', 'Welcome', '--stat'] },
    { run: ['change-requests', 'diff', '3', '--space', 'Welcome', '--no-color'] },
    {
      run: ['change-requests', 'review', '1', '--space', 'Onboarding Handbook', '--no-color'],
      answers: [['❯ Leave', keys.enter]],
    },
    { run: ['change-requests', 'merge', '3', '--space', 'Welcome', ...conditions] },
    {
      run: ['change-requests', 'merge', '1', '--space', 'People Handbook', ...conditions],
      answers: [yes],
    },
    { run: ['change-requests', 'stale', '--older-than', '60d', '--list'] },
    {
      run: ['change-requests', 'stale', '--older-than', '60d', '--warn', '14d', '--concurrency', '1'],
      answers: [yes],
    },
    { shell: '# two weeks later' },
    { run: ['sandbox', 'clock', '+15d'], hidden: true },
    { run: ['change-requests', 'stale', '--archive', '--space', 'Legal Guide'], answers: [yes] },
    { run: ['undo', 'last'] },
  ],
};
