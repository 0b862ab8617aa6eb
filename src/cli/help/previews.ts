import type { PreviewName } from '../declare/session.js';

/** The ways to look at a change before it is made, from the quickest to the most thorough. Help and guide show this table. */

export interface Preview {
  /** The flag or command that names it. */
  name: PreviewName;
  /** What a person wants to know. */
  question: string;
  /** What it shows, or what comes of it. */
  shows: string;
  /** The question in a few words: the last line of the other previews. */
  brief: string;
  /** What it sends to the platform. */
  sends: string;
  /** A command line as a person types it. */
  example: string;
}

export const previews: readonly Preview[] = [
  {
    name: '--dry-run',
    question: 'Which requests would be sent?',
    brief: 'which requests',
    shows: 'each request, and how well docs undo can undo it',
    sends: 'only reads',
    example: 'docs teams create --title Press --dry-run',
  },
  {
    name: 'docs impact',
    question: 'What breaks elsewhere?',
    brief: 'what breaks elsewhere',
    shows:
      'links, published URLs, settings, change requests and people that a deletion, move, transfer or rename affects',
    sends: 'only reads',
    example: 'docs impact delete space <space>',
  },
  {
    name: 'docs rehearse',
    question: 'What really happens?',
    brief: 'what really happens, on a copy',
    shows: 'the command run on a copy of your organization: all changes, with values before and after',
    sends: 'only reads; changes go to the copy',
    example: 'docs rehearse -- spaces delete <space> --yes',
  },
  {
    name: '--save-plan',
    question: 'Should someone else decide?',
    brief: 'let someone else decide',
    shows: 'a file with the exact requests, to review, approve and apply once',
    sends: 'only reads, until docs apply',
    example: 'docs teams create --title Press --save-plan plan.json',
  },
];
