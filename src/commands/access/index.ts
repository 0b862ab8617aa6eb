import type { Group } from '../../cli/declare/command.js';
import { diff } from './diff.js';
import { explain } from './explain.js';
import { matrix } from './matrix.js';
import { whatIf } from './what-if.js';
import { who } from './who.js';

export const access: Group = {
  name: 'access',
  summary: 'Explain who can do what, and why',
  guide: 'access',
  why:
    'Works out roles from what the platform tells: organization roles, default levels, teams, and the role ' +
    'of each member in each space. What could not be read is listed as unknown and exits 3.',
  commands: [explain, who, matrix, whatIf, diff],
};
