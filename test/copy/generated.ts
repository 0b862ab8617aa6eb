import fc from 'fast-check';
import { expect } from 'vitest';
import { importState, parseExport } from '../../src/sandbox/store/export.js';
import { fillFromExport } from '../../src/sandbox/store/fill.js';
import { refill } from '../../src/sandbox/store/store.js';
import { accessOrganization } from '../access/generated/organization.js';
import { tablesOf } from '../access/generated/state.js';
import { organization } from '../organization/generated/arbitrary.js';
import { stateOf } from '../organization/generated/state.js';
import { runs } from '../runs.js';
import { openRounds, type Rounds, type Side } from './rounds.js';
import { differing } from './same-backups.js';

/** backup → sandbox → backup is the same files, for random organizations. */

/** Two kinds of organizations: with all there is to be described, and with access that comes about in every way. */
const states = {
  described: organization.map((org) => stateOf(org)),
  accessed: accessOrganization.map((org) =>
    JSON.stringify({ format: 'docs-sandbox/1', tables: tablesOf(org) }),
  ),
};
