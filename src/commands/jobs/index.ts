import type { Group } from '../../cli/declare/command.js';
import { discard, prune } from './prune.js';
import { resume } from './resume.js';
import { settle } from './settle.js';
import { list, show } from './show.js';

export const jobs: Group = {
  name: 'jobs',
  noun: 'job',
  summary: 'List, show and resume changes made from this machine',
  guide: 'bulk jobs',
  why:
    'Every change is a job with a journal, so that it can be audited, resumed and undone. docs config set ' +
    'journal off turns the journal off.',
  commands: [list, show, resume, settle, discard, prune],
};
