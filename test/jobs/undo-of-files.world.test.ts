import { describe } from 'vitest';
import { createSite } from '../../src/api/resources/sites.js';
import { seedId } from '../sandbox/client.js';
import { tryEdits } from './undo-of-files.js';

describe('in the seed tiny, undo of an apply that', () =>
  tryEdits('tiny', 4, async (client, organizationId) => {
    // The seed has no two spaces in one list of a site.
    const spaces = ['welcome', 'guide'].map((name) => seedId(`space ${name}`));
    await client.ok(createSite, { path: { organizationId }, body: { title: 'Small', spaces } });
  }));
