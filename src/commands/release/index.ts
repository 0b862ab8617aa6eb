import type { Group } from '../../cli/declare/command.js';
import { cut } from './cut.js';

export const release: Group = {
  name: 'release',
  noun: 'release',
  summary: 'Create a version of the docs on a site',
  guide: 'docs-team release-a-version',
  why: 'A version is a copy that stays as it is while the original goes on, or takes the place of the original.',
  commands: [cut],
};
