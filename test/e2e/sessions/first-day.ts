import { keys } from '../terminal.js';
import type { Session } from './record.js';

/** Somebody new: signs in, finds a space by its title, merges what waits there, and mends a mistake. */
export const firstDay: Session = {
  textsOf: ['Platform Handbook'],
  steps: ({ url, token }) => [
    {
      run: ['auth', 'login'],
      answers: [
        ['Address of the platform:', `${url}${keys.enter}`],
        ['Token:', `${token}${keys.enter}`],
        ['❯ No default', `${keys.down}${keys.enter}`],
      ],
    },
    { run: ['status'] },
    { run: ['spaces', 'list', '--limit', '6'] },
    { run: ['spaces', 'get', 'Platform Handbook', '--fields', 'title,changeRequestsOpen,updatedAt,id'] },
    { run: ['change-requests', 'list', '--space', 'Platform Handbook'] },
    {
      run: ['change-requests', 'merge', '--space', 'Platform Handbook'],
      answers: [
        ['❯ ', keys.enter],
        ['(y/N)', `y${keys.enter}`],
      ],
    },
    { run: ['change-requests', 'list', '--space', 'Platform Handbok'] },
    {
      run: ['spaces', 'delete', 'Platform Handbook'],
      answers: [['Type the title or the id to go on:', `Platform Handbook${keys.enter}`]],
    },
    { run: ['trash', 'list'] },
    { run: ['trash', 'restore', 'Platform Handbook', '--fields', 'title,id'] },
    { run: ['list', 'spaces'] },
  ],
};
