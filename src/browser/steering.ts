import { notFound, refusal } from '../sandbox/refusal.js';
import { seedNames } from '../sandbox/seeds/names.js';
import { memberOf } from '../sandbox/server/tokens.js';
import type { Action, Fields } from './action.js';

/** What steers the sandbox: clock, faults, data. */

const match = ({ method = '*', path = '*' }: Fields) => `${method} ${path}`;
const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}`, value]);

const clock: Action = {
  fields: ['shift'],
  command: ({ shift = '' }) => ['sandbox', 'clock', ...(shift.startsWith('-') ? ['--', shift] : [shift])],
  run: async ({ settings }, { shift = '' }) => {
    const byMs = settings.typed.shiftMs(shift);
    const now = await settings.control((control) => control.clock.shift(byMs));
    return `The clock of the sandbox shows ${new Date(now).toISOString()}.`;
  },
};

const fault: Action = {
  fields: ['method', 'path', 'status', 'delay', 'reset', 'times'],
  command: (fields) => [
    ...['sandbox', 'fault', '--match', match(fields)],
    ...(['status', 'delay', 'reset', 'times'] as const).flatMap((name) => flag(name, fields[name])),
  ],
  run: async ({ settings }, fields) => {
    const rule = settings.typed.faultRule({ ...fields, match: match(fields) });
    if (rule === undefined) throw refusal(400, 'say how the requests fail');
    const { method, path } = await settings.control(({ faults }) => faults.add(rule));
    return `Added a fault for ${method} ${path}.`;
  },
};

const removeFault: Action = {
  fields: ['id'],
  command: ({ id = '' }) => ['sandbox', 'fault', '--remove', id],
  run: async ({ settings }, { id }) => {
    const number = settings.typed.count('--remove', id, 1, Number.MAX_SAFE_INTEGER);
    await settings.control(({ faults }) => faults.remove(number));
    return `Removed fault ${number}.`;
  },
};

const clearFaults: Action = {
  fields: [],
  command: () => ['sandbox', 'fault', '--clear'],
  run: async ({ settings }) => {
    await settings.control(({ faults }) => faults.clear());
    return 'Removed all faults.';
  },
};

const seed: Action = {
  fields: ['seed'],
  command: ({ seed: name = 'tiny' }) => ['sandbox', 'seed', name],
  run: async ({ settings }, { seed: name = 'tiny' }) => {
    // A path would be a file of this machine: the pages read none.
    if (!seedNames.some((known) => known === name)) throw refusal(400, 'there is no such seed');
    await settings.control((control) => control.seed(name));
    return `Loaded ${name} into the sandbox.`;
  },
};

const reset: Action = {
  fields: [],
  command: () => ['sandbox', 'reset'],
  run: async ({ settings }) => {
    const id = await settings.control((control) => control.reset(settings.otherOf));
    return `Reset the sandbox to ${id}.`;
  },
};

const publish: Action = {
  fields: ['site'],
  command: ({ site = '' }) => ['sandbox', 'publish', site],
  run: async ({ settings }, { site = '' }) => {
    const { title } = await settings.control((control) => control.publish(site));
    return `Published ${title}.`;
  },
};

/** What a member sees: the pages of the organization show it, and so does the command. */
const seeAs: Action = {
  fields: ['org', 'user'],
  command: ({ org = '', user }) =>
    user === undefined ? ['spaces', 'list', '--org', org] : ['members', 'spaces', user, '--org', org],
  run: ({ parts, session }, { org = '', user }) => {
    if (user === undefined) {
      session.seenAs.delete(org);
      return 'You see everything again.';
    }
    if (memberOf(parts.db, org, user) === undefined) throw notFound('member', user);
    session.seenAs.set(org, user);
    return 'The pages of the organization show what this member sees.';
  },
};

export const steering = {
  clock,
  fault,
  'fault-remove': removeFault,
  'fault-clear': clearFaults,
  seed,
  reset,
  publish,
  'see-as': seeAs,
};
