import type { Migration } from '../migrate.js';
import { state } from './001-state.js';
import { organizations } from './002-organizations.js';
import { teams } from './003-teams.js';
import { spaces } from './004-spaces.js';

/**
 * In the order they are applied. Tables whose names begin with `local_` belong to one database alone
 * and are no part of an export; every other table is.
 */
export const migrations: readonly Migration[] = [state, organizations, teams, spaces];
