import { keys } from '../terminal.js';
import { signedIn } from './docs-team.js';
import type { Session } from './record.js';

const handbook = ['--space', 'Platform Handbook'];

/** What somebody meets around a terminal: the state at a glance, tables, a page to read, sentences, a watch. */
export const terminal: Session = {
  steps: (sandbox) => [
    ...signedIn(sandbox),
    { run: ['overview'] },
    { run: ['status'] },
    { run: ['members', 'list', '--sort-by', 'user.email:desc', '--limit', '4'] },
    { run: ['members', 'list', '--fields', '+disabled,-teams', '--limit', '2'] },
    { run: ['teams', 'members', 'list', 'Writers'] },
    { run: ['content', 'pages', 'get', 'Quickstart', '--space', 'Welcome'] },
    { run: ['teams', 'create', '--title', 'Translators'] },
    { run: ['teams', 'update', 'Translators', '--title', 'Localization', '--show'] },
    { run: ['comments', 'list', ...handbook, '--change-request', '2'] },
    { run: ['jobs', 'list'] },
    {
      run: ['change-requests', 'get', '2', ...handbook, '--watch', '--fields', 'subject,status'],
      answers: [[', every 2s', keys.interrupt]],
    },
    { run: ['users', 'list'] },
  ],
};
