import { expect, test } from 'vitest';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTable } from '../../src/cli/run/policy-gate.js';
import { groups } from '../../src/commands/index.js';
console.log(typeof commandTable, groups.length);
test('x', async () => { expect(1).toBe(1); });
